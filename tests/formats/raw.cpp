// Bits without a header, and the formats that are named and not read.

#include "formats/raw.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <string>

#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/contents.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;
using namespace std::string_literals;

namespace {

Inspection raw_of(const std::string& bytes, const RawBits& raw) {
  const auto all = inspect_raw(std::as_bytes(std::span(bytes)), 0.01, raw);
  REQUIRE(all.size() == 1);
  return all.front();
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The array with its bits in another order: its words, of bytes with their bits as they are,
/// turned round; for msb its bits in each byte.
std::string ordered(std::string array, const RawBits& raw) {
  if (raw.order == BitOrder::msb) {
    for (char& byte : array) {
      unsigned turned = 0;
      for (int i = 0; i < 8; ++i) turned |= (static_cast<unsigned>(byte) >> i & 1) << (7 - i);
      byte = static_cast<char>(turned);
    }
  }
  array.resize((array.size() + raw.word_bytes - 1) / raw.word_bytes * raw.word_bytes);
  for (std::size_t i = 0; i < array.size(); i += raw.word_bytes) {
    std::reverse(array.begin() + static_cast<std::ptrdiff_t>(i),
                 array.begin() + static_cast<std::ptrdiff_t>(i + raw.word_bytes));
  }
  return array;
}

}  // namespace

TEST_CASE("raw bits tell what the saved filter tells, wherever and however they stand",
          "[formats][raw]") {
  for (const std::uint64_t m : {9593U, 9600U, 9591U, 9569U, 9537U, 9601U, 101U}) {
    KeyedFilter<> filter({.m = m, .k = 7});
    for (std::uint64_t key = 0; key < m / 10; ++key) filter.insert(key);
    const std::vector<std::byte> saved = saved_bytes(filter);
    const Inspection own = open_own(saved)->told(0.01);
    MemorySource source(saved);
    static_cast<void>(read_header(source));
    const std::string array = text_of(source.rest().first((m + 7) / 8));
    for (RawBits raw : {RawBits{.order = BitOrder::lsb}, RawBits{.order = BitOrder::msb},
                        RawBits{.word_bytes = 4}, RawBits{.word_bytes = 8}}) {
      raw.m = m;
      raw.k = 7;
      for (const std::uint64_t offset : {0U, 1U, 48U}) {
        raw.offset = offset;
        const std::string plain =
            std::string(offset, '\xa5') + ordered(array, raw) + (offset == 1 ? "\xff\xff" : "");
        for (const std::string& bytes : {plain, gzipped(plain), base64(plain)}) {
          INFO("m " << m << ", offset " << offset << ", words of " << raw.word_bytes);
          const Inspection one = raw_of(bytes, raw);
          CHECK(one.m == m);
          CHECK(one.bits_set == own.bits_set);
          CHECK(one.fill == own.fill);
          CHECK(one.rate == Approx(own.rate));
          REQUIRE(one.keys);
          CHECK(one.keys->keys == Approx(own.keys->keys));
          CHECK(one.keys->low == Approx(own.keys->low));
          CHECK(one.keys->high == Approx(own.keys->high));
          CHECK(one.capacity == own.capacity);
          CHECK(one.faults == own.faults);
          CHECK(one.same_kind.empty());
          CHECK_FALSE(one.fold);
        }
      }
    }
  }
}

TEST_CASE("raw bits that are not there, or too many, are refused", "[formats][raw]") {
  const std::string bytes = "\x01\x02\x04\x00"s;
  const std::pair<RawBits, std::string> cases[] = {
      {{.m = 33, .k = 3}, "raw: --bits 33 takes 5 bytes; from byte 0 on there are 4"},
      {{.m = 9, .k = 3, .offset = 3}, "raw: --bits 9 takes 2 bytes; from byte 3 on there are 1"},
      {{.m = 8, .k = 3, .offset = 4}, "raw: --offset 4 is beyond the 4 bytes that there are"},
      {{.m = max_filter_bits, .k = 3}, "raw: --bits 281474976710656 takes 35184372088832 bytes"},
      {{.m = 33, .k = 3, .word_bytes = 8}, "raw: --bits 33 takes 8 bytes; from byte 0 on"},
      {{.m = 22, .k = 3, .order = BitOrder::msb}, ""},
      {{.m = 18, .k = 3},
       "raw: bits are set behind the last of 18; --bits, --offset, --order or --word are another "
       "array's, or it was altered"},
      {{.m = 21, .k = 3, .order = BitOrder::msb}, "raw: bits are set behind the last of 21; "},
      {{.m = 19, .k = 3, .word_bytes = 4}, "raw: bits are set behind the last of 19; "},
      {{.m = 27, .k = 3, .word_bytes = 4}, ""},
  };
  for (const auto& [raw, reason] : cases) {
    INFO(raw.m << ' ' << reason);
    if (reason.empty()) {
      CHECK_NOTHROW(raw_of(bytes, raw));
    } else {
      CHECK_THROWS_WITH(raw_of(bytes, raw), Catch::StartsWith(reason));
    }
  }
  const std::string cut = gzipped(std::string(500, '\x11')).substr(0, 20);
  CHECK_THROWS_WITH(raw_of(cut, {.m = 8, .k = 3}), "gzip: its end is missing; it was cut off");
  CHECK_THROWS_WITH(raw_of(hex(std::string(20, '\x11')), {.m = 161, .k = 3}),
                    "hex, in it raw: --bits 161 takes 21 bytes; from byte 0 on there are 20");
}

TEST_CASE("formats that are not read are named, with the options that read their bits",
          "[formats][raw]") {
  const std::string rate = little(std::bit_cast<std::uint64_t>(0.01), 8);
  const std::string half(120, '\x5c');  // no letter of base64
  const std::string longs = "ur\0\2[Jx \4\xb5\x12\xb1u\x93\2\0\0xp"s + big(15, 4) + half;
  const std::string java_start = "\xac\xed\0\5sr"s;
  const auto named = [](std::string_view name) {
    return big(name.size(), 2) + std::string(name) + std::string(12, '\1');
  };
  struct Case {
    std::string bytes;
    std::string line;
    std::optional<RawBits> raw = std::nullopt;  ///< which the line says
  };
  const std::string read = "; read its bits by --format raw --bits ";
  const std::string give = "give --format raw --bits M --probes K";
  const Case cases[] = {
      {little(1, 8) + little(100, 8) + rate + little(7, 8) + little(959, 8) + little(50, 8) +
           std::string(119, '\x55') + '\x2a' + "more",
       "it seems to be a filter of DCSO's bloom" + read + "959 --probes 7 --offset 48",
       RawBits{.m = 959, .k = 7, .offset = 48}},
      {"\3UUU"s + little(5, 4) + little(0, 4) + '\1',
       "it seems to be a filterload of Bitcoin (BIP 37)" + read + "24 --probes 5 --offset 1",
       RawBits{.m = 24, .k = 5, .offset = 1}},
      {"\3UUU"s + little(1, 4) + little(0, 4) + '\1',
       "it seems to be a filterload of Bitcoin (BIP 37)" + read + "24 --probes 1 --offset 1",
       RawBits{.m = 24, .k = 1, .offset = 1}},
      {"\xfd"s + little(300, 2) + std::string(300, 'U') + little(5, 4) + little(0, 4) + '\0',
       "it seems to be a filterload of Bitcoin (BIP 37)" + read + "2400 --probes 5 --offset 3",
       RawBits{.m = 2400, .k = 5, .offset = 3}},
      {little(64, 4) + little(0, 8) + std::string(64, 'U'),
       "it seems to be a Parquet filter older than the format's own (murmur3, blocks of 32 bytes)" +
           read + "512 --probes 8 --offset 12; of blocks the rate is higher than raw says",
       RawBits{.m = 512, .k = 8, .offset = 12}},
      {rate + little(7, 8) + little(137, 8) + little(100, 8) + little(50, 8) +
           std::string(119, '\x55') + '\x55',
       "it seems to be a filter of pybloom_live" + read +
           "959 --probes 7 --offset 40; it has a slice for each probe",
       RawBits{.m = 959, .k = 7, .offset = 40}},
      {big(5, 4) + big(15, 4) + half,
       "it seems to be a filter of Cassandra (Filter.db)" + read + "960 --probes 5 --offset 8",
       RawBits{.m = 960, .k = 5, .offset = 8}},
      {big(0xffffffff, 4) + big(5, 4) + '\1' + big(959, 4) + half,
       "it seems to be a BloomFilter of Hadoop" + read + "959 --probes 5 --offset 13",
       RawBits{.m = 959, .k = 5, .offset = 13}},
      {"libbloom2" + little(64, 2) + little(1000, 8) + little(959, 8) + little(120, 8) + '\7' +
           std::string(39, '\0') + half,
       "it seems to be a filter of libbloom" + read + "959 --probes 7 --offset 75",
       RawBits{.m = 959, .k = 7, .offset = 75}},
      {"libbloom2" + little(4, 2) + little(1000, 4) + half,
       "it seems to be a filter of libbloom" + read + "M --probes K --offset 15"},
      {java_start + named("com.google.common.hash.BloomFilter$SerialForm") + big(5, 4) + longs,
       "it seems to be an object that Java serialized "
       "(com.google.common.hash.BloomFilter$SerialForm)" +
           read + "960 --probes 5 --offset 92",
       RawBits{.m = 960, .k = 5, .offset = 92}},
      {java_start + named("java.util.BitSet") + longs,
       "it seems to be an object that Java serialized (java.util.BitSet)" + read +
           "960 --probes K --offset 59"},
      {java_start + big(9, 2) + "my.Filter",  // and no byte more
       "it seems to be an object that Java serialized (my.Filter); have its program write the bits "
       "alone, and " +
           give},
      {java_start + named("my.Filter"),
       "it seems to be an object that Java serialized (my.Filter); have its program write the bits "
       "alone, and " +
           give},
      {"\xac\xed\0\5"s, "it seems to be an object that Java serialized; have its program"},
      {"\x93NUMPY\1\0"s + little(118, 2) + std::string(118, ' ') + half,
       "it seems to be an array of NumPy" + read +
           "M --probes K --offset 128, with --order msb where packbits() made them"},
      {"PARE" + half, "it seems to be a Parquet file with an encrypted footer; have its writer"},
      {"ORC" + half, "it seems to be an ORC file, whose filters stand in the index streams"},
      {"REDIS0011" + half, "it seems to be a dump of a whole Redis; load it, and save the key's"},
      {half + little(0x88e241b785f4cff7, 8), "it seems to be a table of RocksDB; its filter block"},
      {half + little(0xdb4775248b80fb57, 8), "it seems to be a table of LevelDB; its filter block"},
      {"\x80\4" + half + ".", "it seems to be a pickle of Python, which runs code where"},
      {"\x28\xb5\x2f\xfd" + half, "it seems to be zstd; zstd -dc FILE | bloomlab inspect -"},
      {"\xfd"
       "7zXZ" +
           half,
       "it seems to be xz; xz -dc FILE | bloomlab inspect -"},
      {"BZh9" + half, "it seems to be bzip2; bzip2 -dc FILE | bloomlab inspect -"},
      {"PK\3\4" + half, "it seems to be a zip archive; unzip -p FILE | bloomlab inspect -"},
      {"\4\"M\x18" + half, "it seems to be lz4; lz4 -dc FILE | bloomlab inspect -"},
      {"SQLite format 3" + half, "it seems to be an SQLite database; write the blob"},
      {"{ \"bits\": \"VVVV\"}\n", "it seems to be JSON; write the base64 or hex of its bits"},
      {"{ 7 \"bits\": \"VVVV\"}", "no filter that is known begins like this"},
  };
  for (const Case& one : cases) {
    INFO(one.line);
    const auto inspected = [&](const std::string& bytes) {
      return inspect_bytes(std::as_bytes(std::span(bytes)), 0.01, "");
    };
    CHECK_THROWS_WITH(inspected(one.bytes), Catch::StartsWith(one.line));
    CHECK_THROWS_WITH(inspected(gzipped(one.bytes)), Catch::StartsWith("gzip, in it " + one.line));
    // A byte less is no such file, or is not read.
    CHECK_THROWS_AS(inspected(one.bytes.substr(0, one.bytes.size() - 1)), FormatError);
    if (one.raw) CHECK(raw_of(one.bytes, *one.raw).fill == Approx(0.5).margin(0.01));
  }
}
