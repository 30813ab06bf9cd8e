// Filters in gzip, zlib, base64 and hex, and several in one file.

#include "formats/wrapped.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "formats/inspection.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;

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
