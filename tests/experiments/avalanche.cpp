// Avalanche: what is counted, and that hashes that do not mix are seen.
#include "experiments/kinds/avalanche.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<Avalanche>);

struct Extremes {
  double least = 1.0;  ///< shares of the keys, over all bits of key and value
  double most = 0.0;
  double mean = 0.0;
};

Extremes extremes_of(const char* hash, std::uint64_t keys, std::uint64_t seed = 3) {
  const auto at = record::own_parameters_of<Avalanche::Point>({{"hash", hash}});
  const auto measurements = Avalanche::measure({keys}, at, seed);
  REQUIRE(measurements.size() == Avalanche::bits);
  Extremes all;
  const auto n = static_cast<double>(keys);
  std::uint64_t step = 0;
  for (const Measurement& one : measurements) {
    CHECK(one.step == ++step);
    CHECK(one.measured.at("keys") == keys);
    const auto count = [&](const char* name) { return one.measured.at(name).get<double>(); };
    CHECK(count("least") * 64 <= count("flips"));
    CHECK(count("most") * 64 >= count("flips"));
    all.least = std::min(all.least, count("least") / n);
    all.most = std::max(all.most, count("most") / n);
    all.mean += count("flips") / n / 64 / 64;
  }
  return all;
}

}  // namespace

TEST_CASE("every bit of a hash that mixes changes for half of the keys", "[avalanche]") {
  // 4096 shares of 8192 keys each: by Hoeffding's bound one is further off than this with
  // probability 1e-6, over all of them.
  constexpr std::uint64_t keys = 8192;
  const double margin = std::sqrt(std::log(2 * 4096 / 1e-6) / (2.0 * keys));
  for (const char* hash : {"xxhash3_64", "murmur3_128", "sha256"}) {
    INFO(hash);
    const Extremes shares = extremes_of(hash, keys);
    CHECK(shares.least > 0.5 - margin);
    CHECK(shares.most < 0.5 + margin);
    CHECK(shares.mean == Approx(0.5).margin(0.001));
  }
}

TEST_CASE("a linear hash changes a bit always or never, and FNV-1a hardly mixes its last byte",
          "[avalanche]") {
  const Extremes crc = extremes_of("crc32c", 512);
  CHECK(crc.least == 0.0);
  CHECK(crc.most == 1.0);
  CHECK(extremes_of("fnv1a_64", 512).least == 0.0);
}

TEST_CASE("a trial of avalanche draws keys and seed anew, and one seed gives one count",
          "[avalanche]") {
  const auto at = record::own_parameters_of<Avalanche::Point>({{"hash", "murmur2_64a"}});
  const auto flips = [&](std::uint64_t seed) {
    std::vector<std::uint64_t> counts;
    for (const Measurement& one : Avalanche::measure({256}, at, seed)) {
      counts.push_back(one.measured.at("flips").get<std::uint64_t>());
    }
    return counts;
  };
  CHECK(flips(1) == flips(1));
  CHECK(flips(1) != flips(2));
}

}  // namespace bloomlab::experiments
