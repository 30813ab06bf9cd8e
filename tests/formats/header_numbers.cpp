// The numbers of headers at their limits, and what a reader says beyond them; headers that end too
// soon.

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/inspection.hpp"
#include "formats/raw.hpp"
#include "formats/stored_filter.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace bloomlab::tests;
using namespace std::string_literals;

namespace {

using Reader = StoredFilter (*)(std::span<const std::byte>);

/// What a reader says of the bytes; "read": nothing is wrong.
std::string verdict(Reader read, const std::string& bytes) {
  try {
    static_cast<void>(read(std::as_bytes(std::span(bytes))));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "read";
}

struct Verdict {
  std::string bytes;
  std::string text;
};

void check_verdicts(Reader read, const std::vector<Verdict>& all) {
  for (const Verdict& one : all) CHECK(verdict(read, one.bytes) == one.text);
}

std::string probes_refusal(std::uint64_t k) {
  return "k: found " + std::to_string(k) + "; probes per key are 1 to 256";
}

std::string words_refusal(std::uint64_t words, std::uint64_t bytes) {
  return "bits: its header says " + std::to_string(words) + " words of 8 bytes, " +
         std::to_string(bytes) + " bytes are there; it was cut off, or altered";
}

std::string as_real(double value) { return little(std::bit_cast<std::uint64_t>(value), 8); }

const std::string no_words = "bits: there is no word; a filter has at least one";
const std::string word = "\x80\0\0\1\0\0\1\0"s;

}  // namespace

TEST_CASE("a header that ends too soon is refused by the number that is missing", "[formats]") {
  struct Member {
    std::string what;
    std::size_t bytes;
  };
  struct Cut {
    Reader read;
    std::string header;
    std::vector<Member> members;
  };
  const std::vector<Member> v2{{"version", 4}, {"k", 4}, {"seed", 4}, {"number of words", 4}};
  const Cut all[] = {
      {read_guava, "\1\7"s + big(1, 4), {{"strategy", 1}, {"k", 1}, {"number of words", 4}}},
      {read_spark,
       big(1, 4) + big(7, 4) + big(1, 4),
       {{"version", 4}, {"k", 4}, {"number of words", 4}}},
      {read_spark, big(2, 4) + big(7, 4) + big(9, 4) + big(1, 4), v2},
      {read_bits_and_blooms,
       big(64, 8) + big(7, 8) + big(64, 8),
       {{"m", 8}, {"k", 8}, {"length of the bit set", 8}}},
      {read_redisbloom,
       little(0, 8) + little(1, 4) + little(4, 4) + little(2, 4),
       {{"number of keys", 8}, {"number of layers", 4}, {"options", 4}, {"growth", 4}}},
  };
  for (const Cut& one : all) {
    std::size_t first = 0;
    for (const Member& member : one.members) {
      for (std::size_t there = 0; there < member.bytes; ++there) {
        CHECK(verdict(one.read, one.header.substr(0, first + there)) ==
              member.what + ": " + std::to_string(member.bytes) + " bytes are needed, " +
                  std::to_string(there) + " are left");
      }
      first += member.bytes;
    }
    CHECK(first == one.header.size());
  }
  // Named as the format that it seems to be.
  const std::string cut = "\1\7\0\0"s;
  CHECK_THROWS_WITH(
      inspect_bytes(std::as_bytes(std::span(cut)), 0.01, ""),
      "damaged, or no filter; as guava: number of words: 4 bytes are needed, 2 are left");
  CHECK_THROWS_WITH(inspect_bytes({}, 0.01, "guava"),
                    "damaged, or no filter; as guava: strategy: 1 bytes are needed, 0 are left");
  CHECK_THROWS_WITH(inspect_bytes({}, 0.01, ""), Catch::StartsWith("holds nothing; formats: "));
}

TEST_CASE("headers of Guava, Spark and bits-and-blooms hold numbers of their ranges", "[formats]") {
  const auto guava = [](std::uint64_t strategy, std::uint64_t k, std::uint64_t words) {
    return big(strategy, 1) + big(k, 1) + big(words, 4);
  };
  check_verdicts(read_guava, {{guava(0, 1, 1) + word, "read"},
                              {guava(1, 255, 1) + word, "read"},
                              {guava(1, 7, 2) + word + word, "read"},
                              {guava(2, 7, 1) + word, "strategy: found 2; 0 or 1"},
                              {guava(1, 0, 1) + word, probes_refusal(0)},
                              {guava(1, 7, 0), no_words},
                              {guava(1, 7, 1), words_refusal(1, 0)},
                              {guava(1, 7, 1) + word.substr(1), words_refusal(1, 7)},
                              {guava(1, 7, 1) + word + '\0', words_refusal(1, 9)},
                              {guava(1, 7, 2) + word, words_refusal(2, 8)},
                              {guava(1, 7, 0xffffffff) + word, words_refusal(0xffffffff, 8)}});
  for (const std::uint64_t version : {1U, 2U}) {
    const auto spark = [&](std::uint64_t k, std::uint64_t words) {
      return big(version, 4) + big(k, 4) + (version == 2 ? big(5, 4) : "") + big(words, 4);
    };
    check_verdicts(read_spark, {{spark(1, 1) + word, "read"},
                                {spark(256, 1) + word, "read"},
                                {spark(0, 1) + word, probes_refusal(0)},
                                {spark(257, 1) + word, probes_refusal(257)},
                                {spark(0xffffffff, 1) + word, probes_refusal(0xffffffff)},
                                {spark(7, 0), no_words},
                                {spark(7, 1) + word.substr(1), words_refusal(1, 7)},
                                {spark(7, 1) + word + word, words_refusal(1, 16)}});
  }
  for (const std::uint64_t version : {0U, 3U, 0xffffffffU}) {
    CHECK(verdict(read_spark, big(version, 4) + big(7, 4) + big(1, 4) + word) ==
          "version: found " + std::to_string(version) + "; 1 or 2");
  }
  const auto go = [](std::uint64_t m, std::uint64_t k) {
    return big(m, 8) + big(k, 8) + big(m, 8);
  };
  const auto no_size = [](std::uint64_t m) {
    return "m: found " + std::to_string(m) + " bits in a file of 32 bytes";
  };
  check_verdicts(
      read_bits_and_blooms,
      {{go(64, 1) + word, "read"},
       {go(64, 256) + word, "read"},
       {go(64, 0) + word, probes_refusal(0)},
       {go(64, 257) + word, probes_refusal(257)},
       {go(0, 7) + word, no_size(0)},
       {go(256, 7) + word, words_refusal(4, 8)},
       {go(257, 7) + word, no_size(257)},
       {go(~std::uint64_t{0}, 7) + word, no_size(~std::uint64_t{0})},
       {big(64, 8) + big(7, 8) + big(63, 8) + word, "length of the bit set: found 63, m is 64"},
       {go(63, 7) + word, "bits: some are set beyond m; the file was altered"},
       {go(65, 7) + word + big(1, 8), "read"},
       {go(65, 7) + word + big(2, 8), "bits: some are set beyond m; the file was altered"}});
  for (std::uint64_t bit = 0; bit < 64; ++bit) {  // the last one is the highest that is set
    const std::string one = big(std::uint64_t{1} << bit, 8);
    CHECK(verdict(read_bits_and_blooms, go(bit + 1, 7) + one) == "read");
    CHECK((verdict(read_bits_and_blooms, go(std::max<std::uint64_t>(bit, 1), 7) + one) == "read") ==
          (bit == 0));
  }
}

TEST_CASE("positions that older strategies reach are 2^31 at most", "[formats]") {
  const auto reach = [](Reader read, const std::string& bytes) {
    return read(std::as_bytes(std::span(bytes))).layers[0].reachable;
  };
  CHECK(reach(read_guava, "\0\7"s + big(1, 4) + word) == 64);
  CHECK(reach(read_guava, "\1\7"s + big(1, 4) + word) == 0);
  CHECK(reach(read_spark, big(1, 4) + big(7, 4) + big(1, 4) + word) == 64);
  CHECK(reach(read_spark, big(2, 4) + big(7, 4) + big(0, 4) + big(1, 4) + word) == 0);
  // One word more than 2^31 bits, in memory that is never touched.
  const std::size_t words = (std::size_t{1} << 31) / 64 + 1;
  const std::string header = "\0\7"s + big(words, 4);
  const std::size_t size = header.size() + 8 * words;
  const std::unique_ptr<std::byte, void (*)(void*)> bytes(
      static_cast<std::byte*>(std::calloc(size, 1)), std::free);
  REQUIRE(bytes);
  std::ranges::copy(std::as_bytes(std::span(header)), bytes.get());
  CHECK(read_guava({bytes.get(), size}).layers[0].reachable == std::uint64_t{1} << 31);
}

namespace {

struct DumpLayer {
  std::uint64_t bytes = 8;
  std::uint64_t bits = 64;
  std::uint64_t keys = 1;
  double rate = 0.05;
  double per_key = -std::log(0.05) / (std::log(2.0) * std::log(2.0));
  std::uint64_t k = 5;
  std::uint64_t capacity = 10;
  std::uint64_t log2 = 6;

  std::string text() const {
    return little(bytes, 8) + little(bits, 8) + little(keys, 8) + as_real(rate) + as_real(per_key) +
           little(k, 4) + little(capacity, 8) + little(log2, 1);
  }
};

/// The bytes of a dump of these layers; its keys are those of the layers.
std::string dump_text(const std::vector<DumpLayer>& layers, std::uint64_t options = 4) {
  std::uint64_t keys = 0;
  std::string text;
  for (const DumpLayer& layer : layers) {
    keys += layer.keys;
    text += layer.text();
  }
  return little(keys, 8) + little(layers.size(), 4) + little(options, 4) + little(2, 4) + text;
}

/// What is said of a dump of this layer without its bits.
std::string verdict_of_layer(const DumpLayer& layer, std::uint64_t options = 4) {
  return verdict(read_redisbloom, dump_text({layer}, options));
}

}  // namespace

TEST_CASE("a layer of RedisBloom has a rate between 0 and 1, and what follows from it",
          "[formats][redisbloom]") {
  CHECK(verdict_of_layer({}) == "read");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double rate : {0.0, -0.0, -0.05, 1.0, 1.5, infinite, -infinite, std::nan("")}) {
    INFO(rate);
    CHECK(verdict_of_layer({.rate = rate}) == "layer: its rate is not between 0 and 1");
  }
  const std::string per_key =
      "layer: its bits per key do not follow from its rate; one was altered";
  const double right = DumpLayer().per_key;
  CHECK(verdict_of_layer({.per_key = right * (1.0 + 0.9e-6)}) == "read");
  CHECK(verdict_of_layer({.per_key = right * (1.0 - 0.9e-6)}) == "read");
  for (const double other :
       {right * (1.0 + 1.1e-6), right * (1.0 - 1.1e-6), -right, 0.0, infinite, std::nan("")}) {
    CHECK(verdict_of_layer({.per_key = other}) == per_key);
  }
  for (const std::uint64_t k : {4U, 6U}) {
    CHECK(verdict_of_layer({.k = k}) == "layer: k = " + std::to_string(k) +
                                            " does not follow from its bits per key; it was "
                                            "altered");
  }
  CHECK(verdict_of_layer({.k = 0}) == probes_refusal(0));
  CHECK(verdict_of_layer({.k = 257}) == probes_refusal(257));
  // By a rate of 2^-k a key has k probes, and k / ln 2 bits.
  for (const int k : {1, 2, 7, 255, 256}) {
    const double bits = (k - 0.01) / std::log(2.0);
    const double rate = std::exp(-bits * std::log(2.0) * std::log(2.0));
    CHECK(verdict_of_layer({.rate = rate,
                            .per_key = bits,
                            .k = static_cast<std::uint64_t>(k),
                            .capacity = static_cast<std::uint64_t>(64.0 / bits) + 1}) == "read");
  }
}

TEST_CASE("a layer of RedisBloom has the bits of its keys, to a word and a key",
          "[formats][redisbloom]") {
  const std::pair<DumpLayer, std::string> layers[] = {
      {{.bytes = 0, .bits = 0}, "layer: found 0 bits in 0 bytes"},
      {{.bytes = 7}, "layer: found 64 bits in 7 bytes"},
      {{.bytes = 9}, "layer: found 64 bits in 9 bytes"},
      {{.bits = 63}, "layer: found 63 bits in 8 bytes"},
      {{.bits = 68}, "layer: found 68 bits in 8 bytes"},
      {{.log2 = 5}, "layer: found 2^5 for 64 bits"},
      {{.log2 = 7}, "layer: found 2^7 for 64 bits"},
      {{.log2 = 64}, "layer: found 2^64 for 64 bits"},
      {{.log2 = 255}, "layer: found 2^255 for 64 bits"},
      // 6.2352 bits for each key: 62.4 for 10, 130.9 for 21, and 137.2 for 22.
      {{.bytes = 16, .bits = 128, .log2 = 7}, "read"},
      {{.bytes = 32, .bits = 256, .log2 = 8},
       "layer: 256 bits are not those of 10 keys at its rate; it was altered"},
      {{.capacity = 21}, "read"},
      {{.capacity = 22}, "layer: 64 bits are not those of 22 keys at its rate; it was altered"},
      {{.keys = 10}, "read"},
      {{.keys = 11}, "layer: it counts 11 keys, and takes 10"},
      {{.bytes = std::uint64_t{1} << 60,
        .bits = std::uint64_t{1} << 63,
        .capacity = static_cast<std::uint64_t>(0x1p63 / DumpLayer().per_key),
        .log2 = 63},
       "read"},
  };
  for (const auto& [layer, text] : layers) CHECK(verdict_of_layer(layer) == text);
  for (std::uint64_t options = 0; options < 16; ++options) {
    INFO("options " << options);
    // Bits are no power of two where they are not rounded, unless their logarithm was asked for.
    const bool rounded = (options & 1) == 0 || (options & 2) != 0;
    const auto refusal = [](int log2) {
      return "layer: log2 of its bits is " + std::to_string(log2) +
             ", which its options do not give";
    };
    CHECK(verdict_of_layer({.log2 = 6}, options) == (rounded ? "read" : refusal(6)));
    CHECK(verdict_of_layer({.log2 = 0}, options) == (rounded ? refusal(0) : "read"));
    const std::string dump = dump_text({{.log2 = rounded ? 6U : 0U}}, options);
    CHECK(read_redisbloom(std::as_bytes(std::span(dump))).hash ==
          ((options & 4) != 0 ? "murmur2_64a" : "murmur2_32"));
  }
  CHECK(verdict_of_layer({}, 16) == "options: found 16; at most 15");
}

TEST_CASE("layers of RedisBloom are as many, and their bits as long, as its header says",
          "[formats][redisbloom]") {
  const DumpLayer second{.bytes = 16, .bits = 128, .keys = 2, .capacity = 20, .log2 = 7};
  const std::string two = dump_text({{}, second});
  const std::string bits(24, '\x11');
  CHECK(verdict(read_redisbloom, two) == "read");
  CHECK(verdict(read_redisbloom, two + bits) == "read");
  for (const std::size_t there : {1U, 8U, 16U, 23U, 25U, 48U}) {
    CHECK(verdict(read_redisbloom, two + std::string(there, '\x11')) ==
          "bits: 24 bytes are expected, " + std::to_string(there) +
              " are there; give the chunks in their order, or the first one alone");
  }
  const auto header = [](std::uint64_t keys, std::uint64_t layers) {
    return little(keys, 8) + little(layers, 4) + little(4, 4) + little(2, 4);
  };
  const std::string layer = DumpLayer().text();
  for (const std::uint64_t layers : {0U, 3U, 0xffffffffU}) {
    CHECK(verdict(read_redisbloom, header(2, layers) + layer + layer) ==
          "number of layers: found " + std::to_string(layers) + ", 106 bytes follow");
  }
  CHECK(verdict(read_redisbloom, header(1, 1) + layer.substr(1)) ==
        "number of layers: found 1, 52 bytes follow");
  CHECK(verdict(read_redisbloom, header(0, 1) + layer) == "layer: it is larger than the filter");
  for (const std::uint64_t keys : {1U, 3U}) {
    CHECK(verdict(read_redisbloom, header(keys, 2) + layer + layer) ==
          "number of keys: found " + std::to_string(keys) + ", its layers have 2");
  }
  // Bytes of all layers have 64 bits.
  const std::uint64_t most = (std::uint64_t{1} << 61) - 1;
  const DumpLayer large{.bytes = most,
                        .bits = 8 * most,
                        .capacity = static_cast<std::uint64_t>(0x1p64 / DumpLayer().per_key),
                        .log2 = 0};
  CHECK(verdict(read_redisbloom, dump_text(std::vector(8, large), 5)) == "read");
  CHECK(verdict(read_redisbloom, dump_text(std::vector(9, large), 5)) ==
        "layer: it is larger than the filter");
}

namespace {

/// What the bytes seem to be, up to the options that read them; "" where they are not named.
std::string seems_to_be(const std::string& bytes) {
  return named_format(std::as_bytes(std::span(bytes))).value_or("");
}

void check_named(const std::string& name, const std::vector<std::pair<std::string, bool>>& all) {
  std::size_t i = 0;
  for (const auto& [bytes, named] : all) {
    INFO(name << ", case " << i++);
    CHECK((seems_to_be(bytes).rfind("it seems to be " + name, 0) == 0) == named);
  }
}

}  // namespace

TEST_CASE("a format is named where the numbers of its header are in their ranges",
          "[formats][raw]") {
  const std::uint64_t huge = ~std::uint64_t{0};
  const std::string half(120, '\x5c');
  const auto dcso = [&](double rate, std::uint64_t k, std::uint64_t m) {
    return little(1, 8) + little(100, 8) + as_real(rate) + little(k, 8) + little(m, 8) +
           little(50, 8) + half;
  };
  check_named("a filter of DCSO's bloom", {{dcso(0.01, 1, 960), true},
                                           {dcso(0.01, 256, 960), true},
                                           {dcso(0.01, 0, 960), false},
                                           {dcso(0.01, 257, 960), false},
                                           {dcso(0.01, 7, 1), true},
                                           {dcso(0.01, 7, 0), false},
                                           {dcso(0.01, 7, 961), false},
                                           {dcso(0.01, 7, huge), false},
                                           {dcso(0.01, 7, huge - 62), false},
                                           {dcso(0.0, 7, 960), false},
                                           {dcso(1.0, 7, 960), false},
                                           {dcso(-0.5, 7, 960), false},
                                           {dcso(0.999, 7, 960), true},
                                           {dcso(0.01, 7, 960).substr(0, 48), false},
                                           {dcso(0.01, 7, 960).substr(0, 47), false}});
  const auto pybloom = [&](std::uint64_t k, std::uint64_t slice, std::uint64_t n,
                           std::uint64_t count, std::size_t bytes) {
    return as_real(0.01) + little(k, 8) + little(slice, 8) + little(n, 8) + little(count, 8) +
           std::string(bytes, '\x5c');
  };
  check_named("a filter of pybloom_live", {{pybloom(7, 137, 100, 100, 120), true},
                                           {pybloom(7, 137, 100, 101, 120), false},
                                           {pybloom(7, 137, 100, 50, 119), false},
                                           {pybloom(7, 137, 100, 50, 121), false},
                                           {pybloom(1, 960, 100, 50, 120), true},
                                           {pybloom(256, 8, 100, 50, 256), true},
                                           {pybloom(257, 8, 100, 50, 257), false},
                                           {pybloom(0, 8, 100, 50, 0), false},
                                           {pybloom(7, 0, 100, 50, 0), false},
                                           {pybloom(2, std::uint64_t{1} << 63, 9, 5, 0), false}});
  const auto hadoop = [&](std::uint64_t k, std::uint64_t m, std::size_t bytes) {
    return big(0xffffffff, 4) + big(k, 4) + '\1' + big(m, 4) + std::string(bytes, '\x5c');
  };
  check_named("a BloomFilter of Hadoop", {{hadoop(1, 960, 120), true},
                                          {hadoop(256, 953, 120), true},
                                          {hadoop(0, 960, 120), false},
                                          {hadoop(257, 960, 120), false},
                                          {hadoop(7, 952, 120), false},
                                          {hadoop(7, 961, 120), false},
                                          {hadoop(7, 1, 1), true},
                                          {hadoop(7, 0, 0), false}});
  const auto cassandra = [&](std::uint64_t k, std::uint64_t words, std::size_t bytes) {
    return big(k, 4) + big(words, 4) + std::string(bytes, '\x5c');
  };
  check_named("a filter of Cassandra", {{cassandra(5, 15, 120), true},
                                        {cassandra(256, 15, 120), true},
                                        {cassandra(257, 15, 120), false},
                                        {cassandra(0, 15, 120), false},
                                        {cassandra(5, 14, 120), false},
                                        {cassandra(5, 16, 120), false},
                                        {cassandra(5, 0, 0), false},
                                        {big(5, 4), false},
                                        {"", false}});
  const auto bip37 = [&](std::uint64_t length, std::uint64_t k, std::uint64_t flags) {
    return (length < 253 ? little(length, 1) : "\xfd" + little(length, 2)) +
           std::string(length, 'U') + little(k, 4) + little(0, 4) + little(flags, 1);
  };
  check_named("a filterload of Bitcoin", {{bip37(3, 1, 0), true},
                                          {bip37(3, 50, 2), true},
                                          {bip37(3, 51, 0), false},
                                          {bip37(3, 0, 0), false},
                                          {bip37(3, 5, 3), false},
                                          {bip37(0, 5, 0), false},
                                          {bip37(1, 5, 0), true},
                                          {bip37(252, 5, 0), true},
                                          {bip37(253, 5, 0), true}});
  const auto parquet = [](std::uint64_t bytes, std::uint64_t hash, std::uint64_t algorithm) {
    return little(bytes, 4) + little(hash, 4) + little(algorithm, 4) + std::string(bytes, 'U');
  };
  check_named("a Parquet filter older", {{parquet(32, 0, 0), true},
                                         {parquet(64, 0, 0), true},
                                         {parquet(0, 0, 0), false},
                                         {parquet(33, 0, 0), false},
                                         {parquet(31, 0, 0), false},
                                         {parquet(32, 1, 0), false},
                                         {parquet(32, 0, 1), false}});
}

TEST_CASE("bits in an object of Java or of libbloom are read where all of them are there",
          "[formats][raw]") {
  const std::string longs = "ur\0\2[Jx \4\xb5\x12\xb1u\x93\2\0\0xp"s;
  const std::string alone = "; have its program write the bits alone";
  const auto java = [&](std::size_t name, std::size_t before, std::uint64_t words,
                        std::size_t bytes) {
    return seems_to_be("\xac\xed\0\5sr"s + big(name, 2) + std::string(name, 'n') +
                       std::string(before, '\1') + longs + big(words, 4) +
                       std::string(bytes, '\x5c'));
  };
  const std::string object = "it seems to be an object that Java serialized";
  const auto read = [](std::uint64_t m, std::uint64_t offset) {
    return "; read its bits by --format raw --bits " + std::to_string(m) + " --probes K --offset " +
           std::to_string(offset);
  };
  CHECK(java(1, 0, 1, 8) == object + " (n)" + read(64, 32));
  CHECK(java(1, 0, 1, 9) == object + " (n)" + read(64, 32));
  CHECK(java(1, 0, 2, 16) == object + " (n)" + read(128, 32));
  CHECK(java(200, 0, 1, 8) == object + " (" + std::string(200, 'n') + ")" + read(64, 231));
  CHECK(java(201, 0, 1, 8) == object + read(64, 232));
  for (const auto& [words, bytes] :
       {std::pair{0U, 8U}, {1U, 7U}, {1U, 0U}, {2U, 15U}, {0xffffffffU, 8U}}) {
    CHECK_THAT(java(1, 0, words, bytes), Catch::StartsWith(object + " (n)" + alone));
  }
  // The array's number of words stands within the first 64 KiB.
  const std::size_t last = 65536 - 4 - longs.size() - 9;
  CHECK(java(1, last, 1, 8) == object + " (n)" + read(64, 65536));
  CHECK_THAT(java(1, last + 1, 1, 8), Catch::StartsWith(object + " (n)" + alone));
  const auto libbloom = [](std::uint64_t length, std::uint64_t m, std::uint64_t bytes,
                           std::size_t there) {
    const std::string structure = little(1000, 8) + little(m, 8) + little(bytes, 8) + "\7";
    return seems_to_be("libbloom2" + little(length, 2) + structure.substr(0, length) +
                       std::string(length - std::min<std::size_t>(length, structure.size()), '\0') +
                       std::string(there, '\x5c'));
  };
  const std::string filter = "it seems to be a filter of libbloom; read its bits by --format raw ";
  CHECK(libbloom(25, 960, 120, 120) == filter + "--bits 960 --probes 7 --offset 36");
  CHECK(libbloom(26, 953, 120, 120) == filter + "--bits 953 --probes 7 --offset 37");
  for (const auto& [length, m, bytes, there] : {std::tuple{24U, 960U, 120U, 120U},
                                                {25U, 952U, 120U, 120U},
                                                {25U, 961U, 120U, 120U},
                                                {25U, 0U, 120U, 120U},
                                                {25U, 960U, 119U, 120U},
                                                {25U, 960U, 120U, 121U}}) {
    CHECK(libbloom(length, m, bytes, there) ==
          filter + "--bits M --probes K --offset " + std::to_string(11 + length));
  }
  CHECK(libbloom(25, 8, 1, 1) == filter + "--bits 8 --probes 7 --offset 36");
  CHECK(libbloom(25, 8, 1, 0).empty());
}
