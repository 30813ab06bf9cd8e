// Positions of hashes: what is counted, and that uneven ones are seen.
#include "experiments/kinds/hash_quality.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"
#include "statistics/test.hpp"
#include "tests/paths.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<HashQuality>);

using QualityPoint = HashQuality::Point::Parameters;

QualityPoint quality_point(const char* hash, const char* source, std::uint64_t n = 1 << 15,
                           std::uint64_t m = 1024) {
  return record::own_parameters_of<HashQuality::Point>(
      {{"hash", hash}, {"source", source}, {"n", n}, {"m", m}});
}

record::Json measured(const QualityPoint& at, std::uint64_t seed = 3) {
  REQUIRE(HashQuality::check({}, at) == std::nullopt);
  const auto measurements = HashQuality::measure({}, at, seed);
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].timing.at("hash_ns").get<std::uint64_t>() > 0);
  return measurements[0].measured;
}

// Chi-square of the counts less its degrees of freedom, and its p-value, by what the page says.
struct Evenness {
  double excess;
  double p_value;
};

Evenness test_of(const record::Json& json, const char* squares, const char* bins) {
  const auto draws = json.at("keys").get<double>();
  const auto places = json.at(bins).get<double>();
  const double statistic = std::max(0.0, places * json.at(squares).get<double>() / draws - draws);
  return {statistic - (places - 1), statistics::chi_square_two_sided(statistic, places - 1)};
}

}  // namespace

TEST_CASE("a good hash spreads every source of keys evenly", "[hash_quality]") {
  // Twenty tests at 1e-6 each, fixed seeds: an even hash fails here with probability 2e-5.
  for (const char* source : {"uniform", "sequential", "shifted", "decimal", "addresses"}) {
    CAPTURE(source);
    const record::Json json = measured(quality_point("xxhash3_128", source));
    CHECK(json.at("keys") == 1 << 15);
    CHECK(json.at("bins") == 1024);
    CHECK(json.at("pair_bins") == 1024);
    CHECK(test_of(json, "high_squares", "bins").p_value > 1e-6);
    CHECK(test_of(json, "low_squares", "bins").p_value > 1e-6);
    CHECK(test_of(json, "pair_squares", "pair_bins").p_value > 1e-6);
    CHECK(test_of(json, "sum_squares", "bins").p_value > 1e-6);
  }
}

TEST_CASE("sums of both words see two seeds of MurmurHash64A on numbered addresses",
          "[hash_quality]") {
  // The high bits of its words are uneven together and not alone, under the worst of ten pairs of
  // seeds; those of MurmurHash3 are even. Fifty tests at 1e-6: even words fail here with
  // probability 5e-5.
  double least = 1;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const record::Json murmur2 = measured(quality_point("murmur2_64a", "addresses"), seed);
    least = std::min(least, test_of(murmur2, "sum_squares", "bins").p_value);
    CHECK(test_of(murmur2, "high_squares", "bins").p_value > 1e-6);
    const record::Json decimal = measured(quality_point("murmur2_64a", "decimal"), seed);
    CHECK(test_of(decimal, "sum_squares", "bins").p_value > 1e-6);
    const record::Json murmur3 = measured(quality_point("murmur3_128", "addresses"), seed);
    CHECK(test_of(murmur3, "high_squares", "bins").p_value > 1e-6);
    CHECK(test_of(murmur3, "pair_squares", "pair_bins").p_value > 1e-6);
    CHECK(test_of(murmur3, "sum_squares", "bins").p_value > 1e-6);
  }
  CHECK(least < 1e-12);
}

TEST_CASE("the high bits of FNV-1a on sequential keys are uneven", "[hash_quality]") {
  const record::Json json = measured(quality_point("fnv1a_64", "sequential"));
  CHECK(test_of(json, "high_squares", "bins").p_value < 1e-6);
}

TEST_CASE("a cyclic code is more even than chance, and that is seen", "[hash_quality]") {
  // Sequential keys differ in fifteen bits; a linear code of thirty-two maps them to distinct
  // remainders.
  const record::Json json = measured(quality_point("crc32c", "sequential"));
  const auto test = test_of(json, "low_squares", "bins");
  CHECK(test.excess < -10 * std::sqrt(2.0 * 1023));
  CHECK(test.p_value < 1e-6);
}

TEST_CASE("every hash but identity can be named", "[hash_quality]") {
  const auto hashes = quality_hashes();
  CHECK(std::find(hashes.begin(), hashes.end(), "identity") == hashes.end());
  CHECK(std::find(hashes.begin(), hashes.end(), "sha256") != hashes.end());
  for (const std::string_view hash : hashes) {
    if (hash == "command") continue;  // has to be named
    CAPTURE(hash);
    const std::string name(hash);
    // Squares of n counts in m bins are at least n^2 / m.
    CHECK(measured(quality_point(name.c_str(), "decimal", 1280, 256)).at("high_squares") >= 6400);
  }
}

TEST_CASE("a hash by a program has the counts of the same hash of ours",
          "[hash_quality][foreign]") {
  for (const char* const source : {"uniform", "sequential", "decimal", "addresses"}) {
    CAPTURE(source);
    QualityPoint at = quality_point("fnv1a_64", source, 10'000, 512);
    const record::Json ours = measured(at);
    at.hash = quality_point("command", source).hash;
    at.command.emplace().line = "python3 my_hash.py";
    at.command->seconds = 20.0;
    at.command->memory_mib = 4096;
    at.folder = BLOOMLAB_SOURCE_DIR "/examples/foreign/python";
    record::Json theirs = measured(at);
    CHECK(theirs.at("implementation") == "my_hash");
    theirs.erase("implementation");
    CHECK(theirs == ours);
  }
}

TEST_CASE("pairs have a square of positions, at most m", "[hash_quality]") {
  CHECK(HashQuality::pair_side(4) == 2);
  CHECK(HashQuality::pair_side(8) == 2);
  CHECK(HashQuality::pair_side(4096) == 64);
  CHECK(HashQuality::pair_side(8192) == 64);
  CHECK(measured(quality_point("xxhash3_64", "uniform", 1 << 15, 2048)).at("pair_bins") == 1024);
}

TEST_CASE("quality counts depend on the seed alone", "[hash_quality]") {
  const QualityPoint at = quality_point("xxhash3_64", "sequential");
  CHECK(measured(at, 8) == measured(at, 8));
  CHECK(measured(at, 8) != measured(at, 9));
}

TEST_CASE("too few keys, and sizes without low bits, are refused", "[hash_quality][errors]") {
  CHECK(HashQuality::check({}, quality_point("md5", "uniform", 1000, 1000)) ==
        "m = 1000 positions; low bits take a power of two of them");
  CHECK(HashQuality::check({}, quality_point("command", "uniform")) ==
        "hash \"command\" is a program; name it by \"command\": {\"line\": ...}");
  CHECK(HashQuality::check({}, quality_point("md5", "uniform", 1000, 256)) ==
        "n = 1000 keys over m = 256 positions; a chi-square test needs at least 5 keys a position");
}

}  // namespace bloomlab::experiments
