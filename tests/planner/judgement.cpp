#include "planner/judgement.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "core/theory/blocked.hpp"
#include "core/theory/standard.hpp"
#include "planner/presets/preset.hpp"
#include "record/input_error.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

namespace {

PresetFilter sized(const char* name, const PresetRequest& request) {
  return size_by(preset(name), request);
}

std::string preset_refusal(const char* name, const PresetRequest& request) {
  try {
    (void)sized(name, request);
  } catch (const record::InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("good parameters are judged without a warning", "[planner][judgement]") {
  const Judgement judgement = judge({.n = 1000,
                                     .m = 10000,
                                     .k = 7,
                                     .rate = theory::exact_fpr(10000, 1000, 7),
                                     .requested_rate = 0.01,
                                     .hash_bits = 64});
  CHECK(judgement.warnings.empty());
  CHECK(judgement.best_k == 7);
  CHECK(judgement.loss == Approx(1.0));
  CHECK(judgement.smallest_m <= 10000);
  CHECK(*judgement.keeps);
}

TEST_CASE("a wrong k, a full filter, a short hash and a missed rate are told",
          "[planner][judgement]") {
  const Judgement wrong_k =
      judge({.n = 1000, .m = 10000, .k = 2, .rate = theory::exact_fpr(10000, 1000, 2)});
  REQUIRE(wrong_k.warnings.size() == 1);
  CHECK(wrong_k.warnings.front() ==
        "k = 2 has 4.01 times the rate of k = 7, the best for this m and n");
  const Judgement full =
      judge({.n = 10000, .m = 10000, .k = 3, .rate = theory::exact_fpr(10000, 10000, 3)});
  CHECK(full.warnings.back() ==
        "95 % of the bits are set: the filter holds more keys than it can distinguish");
  const Judgement short_hash = judge({.n = 40'000'000,
                                      .m = 400'000'000,
                                      .k = 7,
                                      .rate = theory::exact_fpr(400'000'000, 40'000'000, 7),
                                      .requested_rate = 0.01,
                                      .hash_bits = 32});
  CHECK(*short_hash.hash_floor == Approx(0.00927).margin(1e-5));
  CHECK_FALSE(*short_hash.keeps);
  REQUIRE(short_hash.warnings.size() == 2);
  CHECK(short_hash.warnings[0] ==
        "a hash of 32 bits is too short for so many keys: equal hashes alone give a rate of "
        "0.00927");
  CHECK(short_hash.warnings[1].starts_with("misses the requested rate 0.01 by +7"));
}

TEST_CASE("Guava rounds k after choosing m and can miss its rate", "[planner][presets]") {
  const PresetFilter filter = sized("guava", {.n = 1'000'000, .p = 0.01});
  CHECK(filter.m == 9'585'088);  // 9585058 bits in whole words
  CHECK(filter.k == 7);
  CHECK(filter.rate == theory::exact_fpr(filter.m, 1'000'000, 7));
  CHECK(filter.rate > 0.01);
}

TEST_CASE("Redis gives the first layer half the rate", "[planner][presets]") {
  const PresetFilter filter = sized("redis", {.n = 1'000'000, .p = 0.01});
  // 11.0277 bits per key: -ln(0.005) / ln^2 2.
  CHECK(static_cast<double>(filter.m) / 1e6 == Approx(11.0278).margin(1e-3));
  CHECK(filter.m % 64 == 0);
  CHECK(filter.k == 8);
  CHECK(filter.rate < 0.01);
}

TEST_CASE("Cassandra takes whole bits per key, twice as many for a tenth of the rate",
          "[planner][presets]") {
  const PresetFilter tenth = sized("cassandra", {.n = 1'000'000, .p = 0.1});
  const PresetFilter hundredth = sized("cassandra", {.n = 1'000'000, .p = 0.01});
  CHECK(tenth.k == 3);
  CHECK(tenth.m == 5'000'064);
  CHECK(hundredth.k == 5);
  CHECK(hundredth.m == 10'000'064);
  CHECK(sized("cassandra", {.n = 1000, .p = 0.9}).k == 1);
  CHECK(preset_refusal("cassandra", {.n = 1000, .p = 1e-5}) ==
        "--preset cassandra: p is below 6.71e-05, the lowest bloom_filter_fp_chance that its "
        "table reaches; give a higher rate");
}

TEST_CASE("RocksDB keeps a key in one line, at the price of the mixture", "[planner][presets]") {
  const PresetFilter filter = sized("rocksdb", {.n = 1'000'000, .bits_per_key = 10.0});
  CHECK(filter.k == 6);
  CHECK(filter.m % 512 == 0);
  CHECK(filter.layout == "blocked");
  CHECK(filter.rate == theory::blocked_fpr(filter.m / 512, 512, 1'000'000, 6));
  CHECK(filter.rate == Approx(0.00966).epsilon(0.001));
  CHECK(sized("rocksdb", {.n = 1'000'000, .bits_per_key = 16.0}).k == 9);
  CHECK(sized("rocksdb", {.n = 1'000'000, .bits_per_key = 30.0}).k == 13);
  CHECK(sized("rocksdb", {.n = 1'000'000, .bits_per_key = 60.0}).k == 24);
}

TEST_CASE("Parquet rounds up to a power of two and is cut at 128 MiB", "[planner][presets]") {
  const PresetFilter filter = sized("parquet", {.n = 1'000'000, .p = 0.01});
  CHECK(filter.m == std::uint64_t{1} << 24);
  CHECK(filter.rate == theory::split_block_fpr(filter.m / 256, 8, 32, 1'000'000));
  CHECK(filter.rate > *filter.stated_rate);
  CHECK(sized("parquet", {.n = 1, .p = 0.5}).m == 256);
  const PresetFilter cut = sized("parquet", {.n = 1'000'000'000, .p = 0.01});
  CHECK(cut.m == std::uint64_t{1} << 30);
  CHECK(cut.remark == "cut at 128 MiB: too small for so many keys");
}

TEST_CASE("Boost.Bloom's capacity keeps the rate for the K that the owner chose",
          "[planner][presets]") {
  for (const std::uint64_t k : {1, 5, 7, 12}) {
    const PresetFilter filter = sized("boost", {.n = 100'000, .p = 0.01, .k = k});
    CHECK(filter.k == k);
    CHECK(filter.m % 8 == 0);
    CHECK(theory::approx_fpr(filter.m, 100'000, k) <= 0.01);
    CHECK(theory::approx_fpr(filter.m - 8, 100'000, k) > 0.01);
  }
  CHECK(sized("boost", {.n = 1000, .p = 0.01}).k == 7);
}

TEST_CASE("an unknown preset and a missing quantity are one line", "[planner][presets]") {
  CHECK(preset_refusal("guva", {}) == "--preset: unknown system \"guva\"; did you mean \"guava\"?");
  CHECK(preset_refusal("guava", {.n = 1000}) ==
        "--preset guava: n and p are needed; write them as n=1M p=1%");
  CHECK(preset_refusal("rocksdb", {.n = 1000, .p = 0.01}) ==
        "--preset rocksdb: n and bits_per_key are needed; write them as n=1M bits_per_key=10");
  CHECK(preset_refusal("guava", {.n = 1000, .p = 0.01, .k = 3}) ==
        "--preset guava: found k, which its rules choose from n and p; leave it out");
  CHECK(preset_refusal("parquet", {.n = 1000, .p = 0.01, .bits_per_key = 10.0}) ==
        "--preset parquet: found bits_per_key, which its rules choose from n and p; leave it out");
  CHECK(preset_refusal("rocksdb", {.n = 1000, .bits_per_key = 10.0, .k = 3}) ==
        "--preset rocksdb: found k, which its rules choose from n and bits_per_key; leave it out");
  for (const Preset& one : presets()) {
    CAPTURE(one.name);
    CHECK_FALSE(one.rule.empty());
    CHECK_FALSE(one.source.empty());
  }
}
