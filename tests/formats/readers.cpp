// Saved filters of other programs: those of the folder fixtures were written by the programs in
// the folder writers, of the keys key-0 ... key-999 for a rate of 1 %.

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/contents.hpp"
#include "core/type_list.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"
#include "formats/stored_filter.hpp"
#include "formats/thrift_compact.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;

namespace {

Inspection only(const std::string& bytes, std::optional<double> p = std::nullopt) {
  const auto all = inspect_bytes(std::as_bytes(std::span(bytes)), p, "");
  REQUIRE(all.size() == 1);
  return all.front();
}

/// The interval holds the 1000 keys, and nothing is wrong.
void check_thousand_keys(const Inspection& one) {
  REQUIRE(one.keys);
  INFO(one.format << ": " << one.keys->keys);
  CHECK(one.keys->low <= 1000.0);
  CHECK(one.keys->high >= 1000.0);
  CHECK(one.keys->high - one.keys->low < 100.0);
  CHECK(one.faults.empty());
  CHECK_FALSE(one.saturated);
}

/// The documentation of BF.SCANDUMP: a filter for 10 keys at 10 %, of "item1".
constexpr std::string_view redis_header(
    "\1\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0\2\0\0\0"
    "\10\0\0\0\0\0\0\0@\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x9a\x99\x99\x99\x99\x99\xa9?"
    "J\xf7\xd4\x9e\xde\xf0\x18@\5\0\0\0\12\0\0\0\0\0\0\0\0",
    73);
constexpr std::string_view redis_bits("\1\10\0\x80\0\4 \0", 8);

}  // namespace

TEST_CASE("a filter that Guava wrote is read", "[formats]") {
  const Inspection one = only(fixture("guava.bloom"), 0.01);
  CHECK(one.format == "guava");
  CHECK(one.version == "MURMUR128_MITZ_64");
  CHECK(one.m == 9600);
  CHECK(one.k == 7);
  CHECK(one.rate == Approx(0.01).epsilon(0.15));
  REQUIRE(one.keys_left);
  CHECK(*one.keys_left < 40);
  REQUIRE(one.fold);
  CHECK(one.fold->m == 4800);
  CHECK(one.fold->rate > 0.1);
  check_thousand_keys(one);
}

TEST_CASE("a filter that Go's bits-and-blooms wrote is read", "[formats]") {
  const Inspection one = only(fixture("bits_and_blooms.bloom"));
  CHECK(one.format == "bits_and_blooms");
  CHECK(one.m == 9586);
  CHECK(one.k == 7);
  CHECK_FALSE(one.fold);  // 9586 is no multiple of 128
  check_thousand_keys(one);
}

TEST_CASE("filters of Parquet files are found by the footer", "[formats]") {
  const Inspection duck = only(fixture("duckdb.parquet"));
  CHECK(duck.format == "parquet");
  CHECK(duck.place == "row group 0, column key");
  CHECK(duck.m == 8 * 2048);
  CHECK(duck.layout == "split_block");
  check_thousand_keys(duck);
}

TEST_CASE("what is wrong with the filters of a Parquet writer is said", "[formats]") {
  const std::string header =
      "its header names no algorithm, hash or compression; strict readers do not take it";
  const Inspection equal = only(fixture("parquetjs.parquet"));
  CHECK(equal.place == "row group 0, column key");
  CHECK(equal.m == 8 * 2048);
  CHECK(equal.faults ==
        std::vector<std::string>{
            header, "all blocks are equal: its writer has one block for all",
            "the file counts 20 keys, its bits tell of 1280: damage, or a hash that is not as "
            "ideal"});
}

TEST_CASE("a Parquet filter without the keys of its column is a fault", "[formats]") {
  std::string file = fixture("duckdb.parquet");
  constexpr std::size_t blocks = 7538 + 16;  // as parquet_metadata() of DuckDB says
  std::fill_n(file.begin() + blocks, 2048, '\0');
  const Inspection empty = only(file);
  CHECK(empty.bits_set == 0);
  CHECK(empty.faults ==
        std::vector<std::string>{
            "the file counts 1000 keys, its bits tell of 0: damage, or a hash that is not as ideal",
            "no bit is set, and the column has 20000 values: every lookup would be a false "
            "negative"});
}

TEST_CASE("a dump of RedisBloom is read with and without its bits", "[formats]") {
  const Inspection described = only(std::string(redis_header));
  CHECK(described.format == "redisbloom");
  CHECK_FALSE(described.has_bits);
  CHECK(described.m == 64);
  CHECK(described.k == 5);
  CHECK(described.recorded_keys == 1);
  CHECK(described.stated_rate == Approx(0.05));
  const Inspection whole = only(std::string(redis_header) + std::string(redis_bits));
  CHECK(whole.bits_set == 5);
  REQUIRE(whole.keys);
  CHECK(whole.keys->keys == Approx(1.0).margin(0.1));
  CHECK(whole.faults.empty());
  CHECK_THROWS_WITH(only(std::string(redis_header) + "1234"),
                    Catch::Contains("8 bytes are expected, 4 are there"));
}

TEST_CASE("a layer of a RedisBloom dump has whole bytes of bits, as many as it says", "[formats]") {
  constexpr std::size_t place_of_bytes = 20;
  constexpr std::size_t place_of_bits = 28;
  for (const auto& [bits, layer_bytes] : {std::pair(0, 8), {0, 0}, {63, 7}, {72, 8}, {64, 9}}) {
    std::string dump(redis_header);
    dump[place_of_bytes] = static_cast<char>(layer_bytes);
    dump[place_of_bits] = static_cast<char>(bits);
    CHECK_THROWS_WITH(read_redisbloom(std::as_bytes(std::span(dump))),
                      Catch::Contains("found " + std::to_string(bits) + " bits in " +
                                      std::to_string(layer_bytes) + " bytes"));
  }
}

TEST_CASE("a dump that counts other keys than its bits tell of is a fault", "[formats]") {
  std::string dump(redis_header);
  dump[0] = 9;   // keys of the filter
  dump[36] = 9;  // and of its layer
  const Inspection one = only(dump + std::string(redis_bits));
  REQUIRE(one.faults.size() == 1);
  CHECK(one.faults[0].find("the file counts 9 keys, its bits tell of 1") == 0);
}

TEST_CASE("what a dump of RedisBloom says twice must agree", "[formats]") {
  struct Altered {
    std::vector<std::pair<std::size_t, char>> bytes;
    std::string reason;
  };
  const Altered all[] = {
      {{{50, '\xb9'}}, "its bits per key do not follow from its rate"},
      {{{64, '\x20'}}, "64 bits are not those of 32 keys at its rate"},
      {{{0, 11}, {36, 11}}, "it counts 11 keys, and takes 10"},
      {{{72, 6}}, "log2 of its bits is 6, which its options do not give"},
  };
  for (const Altered& one : all) {
    std::string dump(redis_header);
    for (const auto& [place, byte] : one.bytes) dump[place] = byte;
    CHECK_THROWS_WITH(only(dump + std::string(redis_bits)), Catch::Contains(one.reason));
  }
}

TEST_CASE("bits per key may differ from their rate by a millionth, as others round", "[formats]") {
  const auto dump_of = [](char byte) {  // one step is 3.8e-6 of the 6.2 bits per key
    std::string dump(redis_header);
    dump[56] = byte;
    return dump + std::string(redis_bits);
  };
  CHECK(only(dump_of('\xdf')).m == 64);
  CHECK(only(dump_of('\xdd')).m == 64);
  for (const char beyond : {'\xe0', '\xdc'}) {
    CHECK_THROWS_WITH(only(dump_of(beyond)),
                      Catch::Contains("its bits per key do not follow from its rate"));
  }
}

TEST_CASE("a Parquet filter is as long as the footer and its header say", "[formats]") {
  const Inspection right = only(fixture("small.parquet"));
  CHECK(right.m == 512);
  CHECK(right.recorded_keys == 6);
  CHECK(right.faults.empty());
  CHECK_THROWS_WITH(only(fixture("small_short.parquet")),
                    Catch::Contains("row group 0, column r: its filter is 47 bytes by its header, "
                                    "79 by the footer; one was altered"));
}

TEST_CASE("the distinct values of a Parquet column are held against the bits", "[formats]") {
  std::string file = fixture("small.parquet");
  file[file.find("\x36" + std::string(1, '\0') + "\x16\x0c") + 3] = '\x28';  // 20, not 6
  const Inspection one = only(file);
  CHECK(one.faults ==
        std::vector<std::string>{"the file counts 20 keys, its bits tell of 6: damage, or a hash "
                                 "that is not as ideal"});
}

TEST_CASE("a Parquet file without a filter is called so", "[formats]") {
  std::string file = fixture("small.parquet");
  file[file.find("\x26\x08\x15\xa0")] = '\x36';  // no field 14
  CHECK_THROWS_WITH(only(file),
                    "no column of this Parquet file has a bloom filter; ask its writer for one");
}

TEST_CASE("Spark's two versions are read, and what the first cannot reach", "[formats]") {
  std::string spark("\0\0\0\1\0\0\0\3\0\0\0\2", 12);
  spark += std::string(16, '\x0f');
  const Inspection first = only(spark);
  CHECK(first.format == "spark");
  CHECK(first.version == "V1");
  CHECK(first.m == 128);
  CHECK(first.k == 3);
  CHECK(first.fill == 0.5);
  CHECK(first.rate == 0.125);
  std::string second("\0\0\0\2\0\0\0\3\0\0\0\7\0\0\0\2", 16);
  const Inspection other = only(second + std::string(16, '\x0f'));
  CHECK(other.version == "V2");
  CHECK(other.hash == "murmur3_32 seed 7");
  CHECK(first.same_kind != other.same_kind);
}

TEST_CASE("filters that this library saved are read", "[formats]") {
  KeyedFilter<> filter({.m = 10000, .k = 7});
  for (std::uint64_t key = 0; key < 1000; ++key) filter.insert(key);
  const auto saved = saved_bytes(filter);
  const auto all = inspect_bytes(saved, 0.01, "");
  REQUIRE(all.size() == 1);
  const Inspection& one = all.front();
  CHECK(one.format == "bloomlab");
  CHECK(one.layout == "standard");
  CHECK(one.version == "2");
  CHECK(one.m == 10000);
  CHECK(one.k == 7);
  CHECK(one.recorded_keys == 1000);
  CHECK(one.checksum);
  CHECK(one.rate == Approx(filter.health(0.01).rate));
  CHECK(one.keys_left == filter.health(0.01).keys_left);
  check_thousand_keys(one);
}

TEST_CASE("a saved filter is read alike wherever its bytes lie", "[formats]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Serializable<Filter> && Growing<Filter>) {
      INFO(Filter::name);
      KeyedFilter<XxHash3_64, Filter> filter(Filter::examples().front());
      for (std::uint64_t key = 0; key < 300; ++key) static_cast<void>(filter.insert(key));
      const std::vector<std::byte> saved = saved_bytes(filter);
      std::vector<std::byte> shifted(1);
      shifted.insert(shifted.end(), saved.begin(), saved.end());
      const Inspection one = open_own(saved)->told(0.01);
      const Inspection other = open_own(std::span(shifted).subspan(1))->told(0.01);
      CHECK(one.m == filter.filter().state().bits);
      CHECK(one.bits_set == filter.filter().state().bits_set);
      CHECK(one.recorded_keys == filter.size());
      CHECK(other.bits_set == one.bits_set);
      CHECK(other.rate == one.rate);
      CHECK(other.recorded_keys == one.recorded_keys);
      CHECK(other.keys_left == one.keys_left);
    }
  });
}

namespace {

/// A saved filter of these parameters with this byte all over its words, under checksums that fit.
template <class Filter>
std::vector<std::byte> image_of(const typename Filter::Parameters& parameters, std::byte byte) {
  const auto other = Filter::examples().front();
  const std::vector<std::byte> saved = saved_bytes(KeyedFilter<XxHash3_64, Filter>(other));
  MemorySource source(saved);
  ImageHeader header = read_header(source);
  const std::size_t counts = source.rest().size() - Filter::memory_bits(other, 0) / 8;
  ByteWriter text;
  ParameterWriter visit(text);
  auto copy = parameters;
  Filter::describe(visit, copy);
  header.parameters = text.take();
  const std::size_t words = Filter::memory_bits(parameters, 0) / 8;
  header.contents_bytes = words + counts;
  std::vector<std::byte> bytes = header_bytes(header);
  const std::size_t first = bytes.size();
  bytes.reserve(first + words + counts);
  bytes.resize(first + words, byte);
  bytes.resize(first + words + counts);
  header.contents_checksum = checksum_of(std::span(bytes).subspan(first));
  std::ranges::copy(header_bytes(header), bytes.begin());
  return bytes;
}

}  // namespace

TEST_CASE("bits behind the last one are refused in bytes that are not copied", "[formats]") {
  CHECK_NOTHROW(open_own(image_of<Standard>({.m = 128, .k = 3}, std::byte{0x11}))->told(0.01));
  CHECK_THROWS_WITH(open_own(image_of<Standard>({.m = 100, .k = 3}, std::byte{0x11}))->told(0.01),
                    "contents: a bit behind the last one is set");
  CHECK_THROWS_WITH(
      open_own(image_of<Counting>({.m = 33, .k = 3, .counter_bits = 3}, std::byte{0x11}))
          ->told(0.01),
      "contents: a bit behind the last value is set");
}

TEST_CASE("a saved filter of version 1, or with names that nothing would read, is refused",
          "[formats]") {
  std::vector<std::byte> saved = image_of<SplitBlock>({.m = 2048}, std::byte{0x11});
  MemorySource source(saved);
  ImageHeader header = read_header(source);
  header.family = "nonsense";
  header.reduction = "mask";
  std::vector<std::byte> named = header_bytes(header);
  named.insert(named.end(), source.rest().begin(), source.rest().end());
  CHECK_THROWS_WITH(open_own(named)->told(0.01),
                    "hashing scheme and reduction: found \"nonsense\" and \"mask\", expected none, "
                    "as \"split_block\" chooses positions itself");
  saved[8] = std::byte{1};
  CHECK_THROWS_WITH(inspect_bytes(saved, 0.01, ""),
                    Catch::StartsWith("version: found 1; this release no longer reads it"));
}

TEST_CASE("a saved filter takes no memory beside its bytes", "[formats]") {
  const auto most_resident = [] {
    struct rusage used {};
    REQUIRE(::getrusage(RUSAGE_SELF, &used) == 0);
    return used.ru_maxrss;  // [KiB]
  };
  const std::vector<std::byte> saved =
      image_of<Standard>({.m = std::uint64_t{1} << 30, .k = 3}, std::byte{0x11});
  const auto before = most_resident();
  CHECK(open_own(saved)->told(0.01).fill == 0.25);
  CHECK(most_resident() - before < 32 << 10);  // it is 128 MiB large
}

TEST_CASE("keys left of a saved filter are those beyond its distinct ones", "[formats]") {
  const auto left = [](int times) {
    KeyedFilter<> filter({.m = 100000, .k = 7});
    for (int i = 0; i < times; ++i) {
      for (std::uint64_t key = 0; key < 4000; ++key) filter.insert(key);
    }
    const Inspection one = inspect_bytes(saved_bytes(filter), 0.01, "").front();
    CHECK(one.recorded_keys == 4000U * static_cast<unsigned>(times));
    CHECK(one.faults.empty());
    REQUIRE(one.capacity);
    CHECK(static_cast<double>(*one.keys_left) ==
          Approx(static_cast<double>(*one.capacity - 4000)).margin(200));
    return *one.keys_left;
  };
  CHECK(static_cast<double>(left(5)) == Approx(static_cast<double>(left(1))).margin(80.0));
}

TEST_CASE("a full filter is saturated, and its rate is 1", "[formats]") {
  std::string guava("\1\7\0\0\0\2", 6);
  const Inspection one = only(guava + std::string(16, '\xff'));
  CHECK(one.saturated);
  CHECK(one.rate == 1.0);
  CHECK_FALSE(one.keys_left);  // until which rate is not said
  REQUIRE(one.faults.size() == 1);
  CHECK(one.faults[0] == "every bit is set: it reports every key");
}

TEST_CASE("until which rate keys fit is not said where no rate is", "[formats]") {
  std::string guava("\1\7\0\0\0\2", 6);
  const Inspection one = only(guava + std::string(15, '\0') + '\1');
  CHECK(one.keys);
  CHECK_FALSE(one.capacity);
  CHECK_FALSE(one.keys_left);
}

TEST_CASE("uneven bits are seen: even steps, an end not reached, a part overwritten", "[formats]") {
  const std::string good = fixture("bits_and_blooms.bloom");
  const auto fault_of = [](const std::string& bytes) {
    const Inspection one = only(bytes);
    return one.faults.empty() ? std::string() : one.faults.front();
  };
  CHECK(fault_of(good).empty());
  std::string even = good;
  for (std::size_t i = 24; i + 8 < even.size(); ++i) even[i] = static_cast<char>(even[i] & 0x55);
  CHECK(fault_of(even).find("by their remainder modulo 64") != std::string::npos);
  std::string end = good;
  std::fill(end.end() - 400, end.end(), '\0');
  CHECK(fault_of(end).find("no bit is set from position 6400 on") == 0);

  // A filter of which a third of the bits are set, and the same with a fiftieth in its middle lost.
  std::mt19937_64 random(5);
  std::string bits(1 << 16, '\0');
  for (char& byte : bits) byte = static_cast<char>(random() & (random() | random()));
  const RawBits raw{.m = 8 * bits.size(), .k = 3};
  const auto faults_of = [&](const std::string& bytes) {
    const auto inspected = inspect_raw(std::as_bytes(std::span(bytes)), std::nullopt, raw);
    REQUIRE(inspected.size() == 1);
    return inspected.front().faults;
  };
  CHECK(faults_of(bits).empty());
  std::string lost = bits;
  std::fill_n(lost.begin() + (1 << 15), bits.size() / 50, '\0');
  REQUIRE(faults_of(lost).size() == 1);
  CHECK_THAT(
      faults_of(lost).front(),
      Catch::StartsWith("positions are uneven: in 64 parts of the filter their fill is 0 % to"));
}

TEST_CASE("lists of Thrift are read whole, short and long", "[formats]") {
  for (const std::size_t count : {0U, 1U, 14U, 15U, 20U, 127U, 200U}) {
    // Up to 14 elements are counted in the first byte, whose low half is the type: 5 for integers.
    std::string bytes;
    if (count < 15) {
      bytes += static_cast<char>(count << 4U | 5U);
    } else {
      bytes += '\xf5';
      if (count >= 128) bytes += static_cast<char>(count | 128U);
      bytes += static_cast<char>(count >= 128 ? count >> 7U : count);
    }
    for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(2 * (i % 50));  // zigzag
    ByteReader in(std::as_bytes(std::span(bytes)));
    ThriftReader reader(in);
    std::size_t read = 0;
    reader.list([&](std::uint64_t i, ThriftType type) {
      CHECK(type == ThriftType::i32);
      CHECK(reader.integer("element") == static_cast<std::int64_t>(i % 50));
      ++read;
    });
    CHECK(read == count);
    CHECK(in.left() == 0);
  }
}

TEST_CASE("bytes that are no filter are refused with the reason", "[formats]") {
  CHECK_THROWS_WITH(
      only("hello, world"),
      "no filter that is known begins like this; formats: bloomlab parquet parquet_filter "
      "guava spark bits_and_blooms redisbloom; opened are gzip, zlib, base64, hex; "
      "bits alone: --format raw --bits M --probes K");
  const std::string guava = fixture("guava.bloom");
  CHECK_THROWS_WITH(only(guava.substr(0, 1000)),
                    Catch::Contains("as guava: bits: its header says 150 words of 8 bytes, 994 "
                                    "bytes are there"));
  CHECK_THROWS_WITH(only(guava + "12345678"), Catch::Contains("filter 2, at byte 1206"));
  std::string go = fixture("bits_and_blooms.bloom");
  go[7] = '\x73';  // m, which is there twice
  CHECK_THROWS_WITH(only(go), Catch::Contains("found 9586, m is 9587"));
  go = fixture("bits_and_blooms.bloom");
  go[go.size() - 8] = '\x7f';  // the last word begins at 9536: bits beyond 9586
  CHECK_THROWS_WITH(only(go), Catch::Contains("some are set beyond m"));
  std::string parquet = fixture("duckdb.parquet");
  parquet.back() = '2';
  CHECK_THROWS_WITH(only(parquet), Catch::Contains("begins and ends with PAR1"));
}

TEST_CASE("a header that asks for more than there is takes no memory", "[formats]") {
  CHECK_THROWS_WITH(only(std::string("\1\7\x7f\xff\xff\xff", 6)), Catch::Contains("2147483647"));
  CHECK_THROWS_WITH(only(std::string("\0\0\0\1\0\0\0\3\x7f\xff\xff\xff", 12)),
                    Catch::Contains("2147483647"));
  // Parquet: 2^31 - 32 bytes; nested structures; a list of 2^60 elements.
  CHECK_THROWS_WITH(only("\x15\xc0\xff\xff\xff\x0f\x1c\x1c" + std::string(16, '\0')),
                    Catch::Contains("parquet_filter"));
  CHECK_THROWS_WITH(only("\x15" + std::string(1, '\x02') + std::string(5000, '\x1c')),
                    Catch::Contains("parquet_filter"));
}

TEST_CASE("filters of one probe and of the most are recognised", "[formats]") {
  const auto big = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  const std::string word = big(0x8001'0000'0000'0100, 8);
  for (const std::uint64_t k : {std::uint64_t{1}, max_probes}) {
    INFO(k << " probes");
    const auto sees = [&](const std::string& bytes, const std::string& format,
                          std::uint64_t probes) {
      const Inspection seen = only(bytes);
      CHECK(seen.format == format);
      CHECK(seen.k == probes);
      CHECK(seen.bits_set == 3);
    };
    const std::uint64_t byte = std::min<std::uint64_t>(k, 255);
    for (const char* strategy : {"\0", "\1"}) {
      sees(std::string(strategy, 1) + big(byte, 1) + big(1, 4) + word, "guava", byte);
    }
    sees(big(1, 4) + big(k, 4) + big(1, 4) + word, "spark", k);
    sees(big(2, 4) + big(k, 4) + big(7, 4) + big(1, 4) + word, "spark", k);
    sees(big(64, 8) + big(k, 8) + big(64, 8) + word, "bits_and_blooms", k);
  }
}
