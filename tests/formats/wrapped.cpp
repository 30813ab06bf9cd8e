// Filters in gzip, zlib, base64 and hex, and several in one file.

#include "formats/wrapped.hpp"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "formats/inspection.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;
using namespace std::string_literals;

namespace {

using Wrappers = std::vector<std::string>;

std::vector<Inspection> all_of(const std::string& bytes, std::string_view format = "") {
  return inspect_bytes(std::as_bytes(std::span(bytes)), 0.01, format);
}

void check_same(const Inspection& one, const Inspection& other) {
  CHECK(one.format == other.format);
  CHECK(one.version == other.version);
  CHECK(one.m == other.m);
  CHECK(one.k == other.k);
  CHECK(one.bits_set == other.bits_set);
  CHECK(one.fill == other.fill);
  CHECK(one.rate == other.rate);
  REQUIRE(one.keys);
  CHECK(one.keys->keys == other.keys->keys);
  CHECK(one.keys->low == other.keys->low);
  CHECK(one.keys_left == other.keys_left);
  CHECK(one.same_kind == other.same_kind);
}

}  // namespace

TEST_CASE("a filter is the same in every wrapper, and in two of them", "[formats][wrapped]") {
  for (const char* name : {"guava.bloom", "bits_and_blooms.bloom", "duckdb.parquet"}) {
    const std::string plain = fixture(name);
    const Inspection expected = all_of(plain).front();
    CHECK(expected.wrappers.empty());
    const std::string members = gzipped(plain.substr(0, 500)) + gzipped(plain.substr(500));
    const std::pair<std::string, Wrappers> cases[] = {
        {gzipped(plain), {"gzip"}},
        {members, {"gzip"}},
        {deflated(plain), {"zlib"}},
        {base64(plain), {"base64"}},
        {base64_for_urls(plain), {"base64"}},
        {hex(plain), {"hex"}},
        {"\\x" + hex(plain) + "\r\n", {"hex"}},
        {"0x" + hex(plain), {"hex"}},
        {base64(gzipped(plain)), {"base64", "gzip"}},
        {gzipped(hex(plain)), {"gzip", "hex"}},
        {gzipped(gzipped(plain)), {"gzip", "gzip"}},
    };
    for (const auto& [bytes, wrappers] : cases) {
      INFO(name << " in " << wrappers.front() << ", " << wrappers.back());
      const auto found = all_of(bytes);
      REQUIRE(found.size() == 1);
      CHECK(found.front().wrappers == wrappers);
      check_same(found.front(), expected);
      check_same(all_of(bytes, expected.format).front(), expected);
    }
  }
}

TEST_CASE("wrappers that are damaged, too deep or too large are refused with the reason",
          "[formats][wrapped]") {
  const std::string plain = fixture("guava.bloom");
  std::string altered = gzipped(plain);
  altered[altered.size() - 6] ^= 1;
  std::string altered_zlib = deflated(plain);
  altered_zlib.back() ^= 1;
  std::string bomb;
  const std::string member = gzipped(std::string(std::size_t{1} << 20, '\0'));
  for (int i = 0; i < 257; ++i) bomb += member;
  const std::string nothing = "no filter that is known begins like this; formats: bloomlab parquet";
  const std::pair<std::string, std::string> cases[] = {
      {gzipped(plain).substr(0, 800), "gzip: its end is missing; it was cut off"},
      {altered, "gzip: it is damaged: incorrect data check"},
      {altered_zlib, "zlib: it is damaged: incorrect data check"},
      {gzipped(plain) + "abc", "gzip: 3 bytes follow its end; none are expected"},
      {deflated(plain).substr(0, 800), "zlib: its end is missing; it was cut off"},
      {base64(gzipped(plain).substr(0, 800)), "base64, in it gzip: its end is missing"},
      {gzipped(gzipped(gzipped(plain))),
       "gzip, in it gzip, in it gzip; at most 2 are opened: open one yourself"},
      {bomb, "gzip: more than 256 MiB are in it; open it yourself and give the opened file"},
      {gzipped("hello, world"), "gzip, in it " + nothing},
      {base64("hello, wide world"), "base64, in it " + nothing},
      {base64(plain.substr(0, 900)),
       "base64, in it damaged, or no filter; as guava: bits: its "
       "header says 150 words of 8 bytes, 894 bytes are there"},
  };
  for (const auto& [bytes, reason] : cases) {
    CHECK_THROWS_WITH(all_of(bytes), Catch::StartsWith(reason));
  }
}

TEST_CASE("what only looks like a wrapper is none", "[formats][wrapped]") {
  const std::string cases[] = {
      "",
      "0123456789abcd",                 // 14 letters of hex
      "0123456789abcdefghijk",          // 21 letters: 6 bits are left
      "QAAAAAAAAAAAAAAAAAAAAB",         // the bits that are left are not 0
      "AAAAAAAA+AAA-AAA",               // of both alphabets
      "AAAAAAAA=AAAAAAA",               // padding within
      "a line of words, and a second",  // a comma
      std::string("x\x9c", 2) + std::string(300, '\xff'),
  };
  for (const std::string& text : cases) {
    INFO(text);
    CHECK_FALSE(open_wrapper(std::as_bytes(std::span(text))));
  }
}

TEST_CASE("filters that stand one behind the other are all read", "[formats][wrapped]") {
  const std::string guava = fixture("guava.bloom");
  const std::string go = fixture("bits_and_blooms.bloom");
  const std::string spark = std::string("\0\0\0\1\0\0\0\3\0\0\0\2", 12) + std::string(16, '\x0f');
  const std::string second =
      std::string("\0\0\0\2\0\0\0\4\0\0\0\7\0\0\0\1", 16) + std::string(8, '\x01');
  const auto two = all_of(guava + guava);
  REQUIRE(two.size() == 2);
  CHECK(two[0].place == "filter 1 of 2, at byte 0");
  CHECK(two[1].place == "filter 2 of 2, at byte 1206");
  check_same(two[0], all_of(guava).front());
  check_same(two[1], all_of(guava).front());
  const auto three = all_of(go + go + go, "bits_and_blooms");
  REQUIRE(three.size() == 3);
  CHECK(three[2].place == "filter 3 of 3, at byte 2448");
  check_same(three[2], all_of(go).front());
  const auto mixed = all_of(gzipped(spark + second));
  REQUIRE(mixed.size() == 2);
  CHECK(mixed[0].version == "V1");
  CHECK(mixed[1].version == "V2");
  CHECK(mixed[1].m == 64);
  CHECK(mixed[1].place == "filter 2 of 2, at byte 28");
  CHECK(mixed[1].wrappers == Wrappers{"gzip"});
}

TEST_CASE("what follows the last whole filter is refused with its place", "[formats][wrapped]") {
  const std::string guava = fixture("guava.bloom");
  const std::string small = std::string("\1\7\0\0\0\1", 6) + std::string(8, '\1');
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += small;
  const std::pair<std::string, std::string> cases[] = {
      {guava + "12345678", "as guava: filter 2, at byte 1206: strategy: found 49; 0 or 1"},
      {guava + guava.substr(0, 700),
       "as guava: filter 2, at byte 1206: bits: its header says 150 words of 8 bytes, 694 bytes"},
      {guava + guava + std::string(1, '\0'), "as guava: filter 3, at byte 2412: k: 1 bytes are"},
      {many, "as guava: filter 10001, at byte 140000: at most 10000 are shown"},
  };
  for (const auto& [bytes, reason] : cases) {
    CHECK_THROWS_WITH(all_of(bytes), Catch::Contains(reason));
  }
}

namespace {

/// What is in the text, by the name of the wrapper; "" where it is none.
std::string wrapper_of(const std::string& text) {
  const auto opened = open_wrapper(std::as_bytes(std::span(text)));
  return opened ? std::string(opened->wrapper) : "";
}

std::string opened_text(const std::string& text) {
  const auto opened = open_wrapper(std::as_bytes(std::span(text)));
  REQUIRE(opened);
  return {reinterpret_cast<const char*>(opened->bytes.data()), opened->bytes.size()};
}

/// A block of deflate that holds the text as it is.
std::string stored_block(const std::string& text, bool last) {
  return (last ? "\1" : std::string(1, '\0')) + little(text.size(), 2) +
         little(~text.size() & 0xffff, 2) + text;
}

}  // namespace

TEST_CASE("zlib is opened whatever its level and its window, and no other two bytes begin it",
          "[formats][wrapped]") {
  const std::string text = "twenty letters, so it";
  for (const int level : {0, 1, 5, 6, 9}) {
    for (int window = 9; window <= 15; ++window) {
      z_stream stream = {};
      REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
      std::string out(100, '\0');
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream.avail_in = static_cast<uInt>(text.size());
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
      out.resize(out.size() - stream.avail_out);
      deflateEnd(&stream);
      CHECK(wrapper_of(out) == "zlib");
      CHECK(opened_text(out) == text);
    }
  }
  // RFC 1950: method 8, a window of at most 2^(7 + 8), no dictionary, a multiple of 31.
  const auto sum =
      adler32(1, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  const std::string rest = stored_block(text, true) + big(sum, 4);
  std::string wrong;
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    if (pair == 0x1f8b) continue;  // gzip
    const bool zlib =
        (pair >> 8 & 15) == 8 && pair >> 12 <= 7 && (pair >> 5 & 1) == 0 && pair % 31 == 0;
    if ((wrapper_of(big(pair, 2) + rest) == "zlib") != zlib) wrong += std::to_string(pair) + " ";
  }
  CHECK(wrong.empty());
  for (const char* none : {"x", "\x1f", "x ", "x ab", "x abcd"}) CHECK(wrapper_of(none).empty());
  CHECK_THROWS_WITH(wrapper_of("x\x9c"), "zlib: its end is missing; it was cut off");
  CHECK_THROWS_WITH(wrapper_of("\x1f\x8b"), "gzip: its end is missing; it was cut off");
}

TEST_CASE("bytes that err after 256 of zlib are damaged, and before are none",
          "[formats][wrapped]") {
  const std::string no_block = "\7";  // the last one, of a type that is none
  for (const std::size_t length : {0U, 1U, 255U, 256U, 300U}) {
    const std::string blocks = stored_block(std::string(length, '\x80'), false) + no_block;
    if (length < 256) {
      CHECK(wrapper_of("x\x01" + blocks).empty());
    } else {
      CHECK_THROWS_WITH(wrapper_of("x\x01" + blocks), "zlib: it is damaged: invalid block type");
    }
    const std::string gzip_header = "\x1f\x8b\x08" + std::string(7, '\0');
    CHECK_THROWS_WITH(wrapper_of(gzip_header + blocks), "gzip: it is damaged: invalid block type");
  }
}

TEST_CASE("hex and base64 are read by their alphabets, from sixteen letters on",
          "[formats][wrapped]") {
  std::string all;
  for (int value = 0; value < 256; ++value) all += static_cast<char>(value);
  std::string upper = hex(all);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const std::string& text : {hex(all), upper, "0x" + upper, "\\x" + hex(all)}) {
    CHECK(wrapper_of(text) == "hex");
    CHECK(opened_text(text) == all);
  }
  for (const std::size_t less : {0U, 1U, 2U}) {  // for each length of the last group
    const std::string bytes = all.substr(less);
    CHECK(opened_text(base64(bytes)) == bytes);
    CHECK(opened_text(base64_for_urls(bytes)) == bytes);
  }
  CHECK(wrapper_of(std::string(14, 'a')).empty());
  CHECK(wrapper_of(std::string(16, 'a')) == "hex");
  CHECK(wrapper_of(std::string(16, 'z')) == "base64");
  CHECK(wrapper_of(std::string(15, 'A')).empty());
  CHECK(wrapper_of(std::string(17, 'A')).empty());  // an odd number, and 6 bits are left
  for (const char* padding : {"", "=", "=="}) {
    CHECK(wrapper_of(std::string(18, 'A').replace(0, 1, "Z") + padding) == "base64");
  }
  CHECK(wrapper_of(std::string(18, 'A').replace(0, 1, "Z") + "===").empty());
  // Any byte among letters of which there are two of hex for each of its bytes.
  for (const char byte : all) {
    const std::string hexed = "0123456789abcdefABCDEF" + std::string(1, byte) + "00";
    const std::string lettered = "zzzzzzzzzzzzzz" + std::string(1, byte) + "zzAA";
    const bool line = byte == '\r' || byte == '\n';
    const bool blank = line || byte == ' ' || byte == '\t';
    INFO("byte " << static_cast<int>(byte));
    CHECK((wrapper_of(hexed) == "hex") == blank);
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                        (byte >= 'A' && byte <= 'Z');
    const std::string one_more = hexed + "0";
    CHECK((wrapper_of(one_more) == "hex") == (letter && (byte <= '9' || (byte | 32) <= 'f')));
    // 19 letters: 2 bits are left, which are 0; with 18, 4 bits.
    CHECK((wrapper_of(lettered) == "base64") ==
          (letter || line || byte == '+' || byte == '/' || byte == '-' || byte == '_'));
  }
}

TEST_CASE("filters of both versions of Spark, and of any size, stand in any order",
          "[formats][wrapped]") {
  const std::string word = "\x80\0\0\1\0\0\1\0"s;
  const std::string first = big(1, 4) + big(3, 4) + big(2, 4) + word + word;
  const std::string second = big(2, 4) + big(4, 4) + big(7, 4) + big(1, 4) + word;
  const auto go = [&](std::uint64_t m) {
    return big(m, 8) + big(5, 8) + big(m, 8) + big(1, 8) + (m > 64 ? big(0, 8) : "");
  };
  const std::string guava = "\1\7"s + big(1, 4) + word;
  const std::string guava_two = std::string(1, '\0') + '\5' + big(2, 4) + word + word;
  const std::vector<std::pair<std::string, std::uint64_t>> kinds[] = {
      {{first, 128}, {second, 64}},
      {{go(1), 1}, {go(63), 63}, {go(64), 64}, {go(65), 65}, {go(128), 128}},
      {{guava, 64}, {guava_two, 128}},
  };
  for (const auto& sizes : kinds) {
    for (const auto& [one, m_of_one] : sizes) {
      for (const auto& [other, m_of_other] : sizes) {
        const auto found = all_of(one + other + one);
        REQUIRE(found.size() == 3);
        CHECK(found[0].m == m_of_one);
        CHECK(found[1].m == m_of_other);
        CHECK(found[2].m == m_of_one);
        CHECK(found[0].place == "filter 1 of 3, at byte 0");
        CHECK(found[1].place == "filter 2 of 3, at byte " + std::to_string(one.size()));
        CHECK(found[2].place ==
              "filter 3 of 3, at byte " + std::to_string(one.size() + other.size()));
      }
    }
  }
}
