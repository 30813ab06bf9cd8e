// Headers byte by byte: how many of the 256 values of each byte a reader takes, the others being as
// they were. A limit that moves by one, or a check that is lost, changes a count.

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/saved_filter.hpp"
#include "formats/inspection.hpp"
#include "formats/stored_filter.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;
using namespace std::string_literals;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string as_double(double value) { return little(std::bit_cast<std::uint64_t>(value), 8); }

using Reads = std::function<bool(const std::string&)>;

/// How many values of each byte from `first` on are read, a number for each: "2 255 1*4" says that
/// of the first byte two are, of the next 255, of the four behind them one each.
std::string taken_values(const std::string& good, const Reads& reads, std::size_t first,
                         std::size_t end) {
  std::string text;
  int last = -1;
  int times = 0;
  const auto put = [&] {
    if (times != 0) text += (text.empty() ? "" : " ") + std::to_string(last);
    if (times > 1) text += "*" + std::to_string(times);
  };
  for (std::size_t place = first; place < end; ++place) {
    std::string bytes = good;
    int count = 0;
    for (int value = 0; value < 256; ++value) {
      bytes[place] = static_cast<char>(value);
      count += reads(bytes) ? 1 : 0;
    }
    if (count != last) {
      put();
      last = count;
      times = 0;
    }
    ++times;
  }
  put();
  return text;
}

template <class Read>
Reads readable(const Read& read) {
  return [read](const std::string& bytes) {
    try {
      static_cast<void>(read(bytes_of(bytes)));
      return true;
    } catch (const FormatError&) {
      return false;
    }
  };
}

/// Whether the bytes are refused as those of `what`, which is named.
Reads named(const std::string& what) {
  return [what](const std::string& bytes) {
    try {
      static_cast<void>(inspect_bytes(bytes_of(bytes), 0.01, ""));
    } catch (const FormatError& error) {
      return std::string(error.what()).find("it seems to be " + what) != std::string::npos;
    }
    return false;
  };
}

struct Header {
  std::string name;
  std::string bytes;
  Reads reads;
  std::size_t end;  ///< of the bytes that are tried
  std::string taken;
};

std::string redis_layer(std::uint64_t bytes, std::uint64_t keys, double rate, std::uint64_t k,
                        std::uint64_t capacity, std::uint64_t log2) {
  const double per_key = -std::log(rate) / (std::log(2.0) * std::log(2.0));
  return little(bytes, 8) + little(8 * bytes, 8) + little(keys, 8) + as_double(rate) +
         as_double(per_key) + little(k, 4) + little(capacity, 8) + little(log2, 1);
}

void check(const std::vector<Header>& all) {
  for (const Header& one : all) {
    INFO(one.name);
    CHECK(one.reads(one.bytes));
    CHECK(taken_values(one.bytes, one.reads, 0, one.end) == one.taken);
  }
}

}  // namespace

TEST_CASE("of each byte of a header as many values are read as its format has", "[formats]") {
  const std::string words(16, '\x0f');
  check({
      {"guava, k = 7", "\1\7"s + big(2, 4) + words, readable(read_guava), 6, "2 255 1*4"},
      {"spark 1, k = 7", big(1, 4) + big(7, 4) + big(2, 4) + words, readable(read_spark), 12,
       "1*7 255 1*4"},
      {"spark 1, k = 256", big(1, 4) + big(256, 4) + big(2, 4) + words, readable(read_spark), 12,
       "1*12"},
      {"spark 2", big(2, 4) + big(7, 4) + big(9, 4) + big(2, 4) + words, readable(read_spark), 16,
       "1*7 255 256*4 1*4"},
      {"bits_and_blooms, k = 7", big(124, 8) + big(7, 8) + big(124, 8) + words,
       readable(read_bits_and_blooms), 25, "1*15 255 1*8 256"},
      {"bits_and_blooms, k = 256", big(128, 8) + big(256, 8) + big(128, 8) + words,
       readable(read_bits_and_blooms), 25, "1*24 256"},
      {"redisbloom, two layers",
       little(15, 8) + little(2, 4) + little(4, 4) + little(2, 4) +
           redis_layer(8, 10, 0.05, 5, 10, 6) + redis_layer(16, 5, 0.025, 6, 16, 7),
       readable(read_redisbloom), 126,
       "1*12 12 1*3 256*4 1*24 256*4 11 1*3 256*4 3 1*7 12 1*32 256*4 13 1*3 256*4 5 1*7 19 1*8"},
      {"redisbloom, not rounded, k = 256",
       little(1, 8) + little(1, 4) + little(5, 4) + little(2, 4) +
           redis_layer(48, 1, std::exp2(-256.0), 256, 1, 0),
       readable(read_redisbloom), 73,
       "1*12 4 1*3 256*4 1*24 256*4 187 1*3 256 131 44 102 2 1*7 2 1*8"},
      {"a Parquet filter", "\x15\x40\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"s + words + words,
       readable(read_parquet_filter), 15, "1*3 10 16*2 1 10 16*2 1 10 16*3"},
  });
}

TEST_CASE("a filterload of Bitcoin has at most 36 000 bytes", "[formats][raw]") {
  for (const std::uint64_t length : {36'000U, 36'001U}) {
    const std::string bytes =
        "\xfd"s + little(length, 2) + std::string(length, 'U') + little(5, 4) + little(0, 4) + '\0';
    CHECK(named("a filterload")(bytes) == (length == 36'000));
  }
}

TEST_CASE("of each byte of a header that is named and not read as many values are known",
          "[formats][raw]") {
  const std::string half(120, '\x5c');
  const std::string java_start = "\xac\xed\0\5sr"s;
  const std::string longs = "ur\0\2[Jx \4\xb5\x12\xb1u\x93\2\0\0xp"s;
  check({
      {"DCSO",
       little(1, 8) + little(100, 8) + as_double(0.01) + little(7, 8) + little(959, 8) +
           little(50, 8) + half,
       named("a filter of DCSO's bloom"), 48, "1 256*21 240 64 255 1*7 193 4 1*6 256*8"},
      {"BIP 37", "\x08UUUUUUUU"s + little(50, 4) + little(0, 4) + '\1', named("a filterload"), 18,
       "1 256*8 50 1*3 256*4 3"},
      {"BIP 37, long",
       "\xfd"s + little(300, 2) + std::string(300, 'U') + little(5, 4) + little(0, 4) + '\0',
       named("a filterload"), 3, "1*3"},
      {"Parquet of old", little(64, 4) + little(0, 8) + std::string(64, 'U'),
       named("a Parquet filter older"), 12, "1*12"},
      {"pybloom_live",
       as_double(0.01) + little(7, 8) + little(137, 8) + little(100, 8) + little(50, 8) + half,
       named("a filter of pybloom_live"), 40, "255 256*5 240 64 1*16 206 256*7 101 1*7"},
      {"Cassandra", big(5, 4) + big(15, 4) + half, named("a filter of Cassandra"), 8,
       "1*3 255 1*4"},
      {"Hadoop", big(0xffffffff, 4) + big(5, 4) + '\1' + big(959, 4) + half,
       named("a BloomFilter of Hadoop"), 13, "1*7 255 256 1*3 8"},
      {"libbloom",
       "libbloom2" + little(25, 2) + little(1000, 8) + little(959, 8) + little(120, 8) + '\7' +
           half,
       named("a filter of libbloom; read its bits by --format raw --bits 959"), 36,
       "1*11 256*8 1*16 256"},
      {"Java",
       java_start + big(9, 2) + "my.Filter" + std::string(12, '\1') + longs + big(15, 4) + half,
       named("an object that Java serialized (my.Filter); read its bits by --format raw --bits 9"),
       55, "1*17 256*12 1*23 256*3"},
      {"NumPy", "\x93NUMPY\1\0"s + little(118, 2) + std::string(118, ' ') + half,
       named("an array of NumPy"), 10, "1*7 256*3"},
      {"pickle", "\x80\4" + half + ".", named("a pickle of Python"), 2, "1 4"},
      {"RocksDB", little(0x88e241b785f4cff7, 8), named("a table of RocksDB"), 8, "1*8"},
      {"LevelDB", little(0xdb4775248b80fb57, 8), named("a table of LevelDB"), 8, "1*8"},
  });
}
