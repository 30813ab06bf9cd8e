#include "core/theory/scalable.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"
#include "tests/theory/golden_file.hpp"
#include "tests/theory/reference.hpp"

using namespace bloomlab::theory;

TEST_CASE("layers open when a key arrives and the last is full", "[theory][scalable]") {
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 0).size() == 1);
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 1).size() == 1);
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 1000).size() == 1);
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 1001).size() == 2);
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 3000).size() == 2);
  CHECK(scalable_layers(0.01, 0.5, 2, 1000, 3001).size() == 3);
  CHECK(scalable_layers(0.01, 0.5, 1, 1000, 5000).size() == 5);
  const auto layers = scalable_layers(0.01, 0.5, 2, 1000, 3001);
  CHECK(layers[0].n == 1000);
  CHECK(layers[1].n == 2000);
  CHECK(layers[2].n == 1);
}

TEST_CASE("a rate that is a power of two takes its exponent as probes", "[theory][scalable]") {
  const auto layers = scalable_layers(0.5, 0.5, 2, 100, 1000);
  REQUIRE(layers.size() == 4);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    CHECK(layers[i].k == i + 2);  // p_i = 2^-(i+2)
    const double bits = static_cast<double>((i + 2) * (100ULL << i)) / std::log(2.0);
    CHECK(layers[i].m == static_cast<std::uint64_t>(std::ceil(bits)));
  }
}

TEST_CASE("the compound rate stays below its target when layers tighten", "[theory][scalable]") {
  for (const double r : {0.5, 0.8, 0.9}) {
    for (const std::uint64_t s : {1ULL, 2ULL, 4ULL}) {
      for (const std::uint64_t n : {1ULL, 4000ULL, 60000ULL}) {
        CAPTURE(r, s, n);
        const auto layers = scalable_layers(0.01, r, s, 4096, n);
        CHECK(compound_approx_fpr(layers) <= 0.01);
        CHECK(compound_approx_fpr(layers) <= compound_exact_fpr(layers));
      }
    }
  }
}

TEST_CASE("without tightening every full layer adds its rate", "[theory][scalable]") {
  // After L full layers the rate is 1 - (1 - fp)^L, up to the rounding of capacities.
  std::uint64_t keys = 0;
  for (int full = 1; full <= 8; ++full) {
    const auto next = untightened_layers(100000, 5, 0.01, keys + 1);
    CHECK(next.size() == static_cast<std::size_t>(full));
    const double unit = std::ldexp(100000.0, full - 1);
    keys +=
        static_cast<std::uint64_t>(std::ceil(unit * std::log(1 / (1 - std::pow(0.01, 0.2))) / 5));
    const auto layers = untightened_layers(100000, 5, 0.01, keys);
    CHECK(layers.size() == static_cast<std::size_t>(full));
    CHECK(compound_approx_fpr(layers) == Approx(1 - std::pow(0.99, full)).epsilon(5e-4));
  }
  CHECK(untightened_layers(100000, 5, 0.01, 0).size() == 1);
  CHECK(compound_exact_fpr(untightened_layers(100000, 5, 0.01, 0)) == 0.0);
  // The report's capacities per bit: 0.1015352 and 0.0578537.
  CHECK(untightened_layers(10000000, 5, 0.01, 1U << 31)[0].n == 1015352);
  CHECK(untightened_layers(10000000, 5, 0.001, 1U << 31)[0].n == 578537);
}

TEST_CASE("the deviation of the compound rate follows from independent layers",
          "[theory][scalable]") {
  const std::vector<Layer> layers{{200, 3, 20}, {500, 4, 90}, {900, 6, 11}};
  double mean = 1.0;    // of the product of 1 - F
  double square = 1.0;  // of its square
  for (const auto& [m, k, n] : layers) {
    const double f = reference::moment(m, n * k, static_cast<int>(k));
    const double f2 = reference::moment(m, n * k, static_cast<int>(2 * k));
    mean *= 1 - f;
    square *= 1 - 2 * f + f2;
  }
  CHECK(relative_error(sd_compound_fpr(layers), std::sqrt(square - mean * mean)) < 1e-9);
  CHECK(sd_compound_fpr({layers[0]}) == Approx(sd_conditional_fpr(200, 20, 3)).epsilon(1e-14));
  CHECK(relative_error(compound_exact_fpr(layers), 1 - mean) < 1e-12);
}

TEST_CASE("layers of slices have the moments of their slices", "[theory][scalable]") {
  const std::vector<Layer> layers{{200, 3, 20}, {500, 4, 90}, {900, 6, 11}};
  double mean = 1.0;    // of the product of 1 - F
  double square = 1.0;  // of its square
  for (const auto& [m, k, n] : layers) {
    double f = 1.0;
    double f2 = 1.0;
    for (std::uint64_t slice = 0; slice < k; ++slice) {
      const std::uint64_t bits = m / k + (slice < m % k ? 1 : 0);
      f *= reference::moment(bits, n, 1);
      f2 *= reference::moment(bits, n, 2);
    }
    CHECK(relative_error(compound_partitioned_fpr({{m, k, n}}), f) < 1e-12);
    CHECK(relative_error(sd_partitioned_fpr(m, n, k), std::sqrt(f2 - f * f)) < 1e-9);
    mean *= 1 - f;
    square *= 1 - 2 * f + f2;
  }
  CHECK(relative_error(compound_partitioned_fpr(layers), 1 - mean) < 1e-12);
  CHECK(relative_error(sd_compound_partitioned_fpr(layers), std::sqrt(square - mean * mean)) <
        1e-9);
  CHECK(sd_partitioned_fpr(200, 0, 3) == 0.0);
  // Slices of one bit are full after one key: no spread.
  CHECK(sd_partitioned_fpr(5, 1, 5) == 0.0);
}

TEST_CASE("slices cost a little: their compound rate is above that of standard layers",
          "[theory][scalable]") {
  for (const std::uint64_t n : {1000U, 10000U, 100000U}) {
    const auto layers = scalable_layers(0.01, 0.5, 2, 1000, n);
    CHECK(compound_partitioned_fpr(layers) > compound_exact_fpr(layers));
    CHECK(compound_partitioned_fpr(layers) < 0.0101);
  }
}

TEST_CASE("tiny layer rates do not vanish in the compound", "[theory][scalable]") {
  const std::vector<Layer> layers{{1ULL << 40, 30, 1000}, {1ULL << 41, 31, 2000}};
  const double sum = exact_fpr(1ULL << 40, 1000, 30) + exact_fpr(1ULL << 41, 2000, 31);
  CHECK(sum < 1e-200);
  CHECK(relative_error(compound_exact_fpr(layers), sum) < 1e-13);
  CHECK(compound_exact_fpr({{1, 1, 1}, {100, 3, 2}}) == 1.0);
}

TEST_CASE("layers that cannot be are refused in one line", "[theory][scalable]") {
  CHECK_THROWS_WITH(scalable_layers(0.01, 0.5, 1, 1, 1000),
                    "layers: layer 249 would need more than 256 probes; fewer layers (larger s or "
                    "n0) or a larger r are allowed");
  CHECK_THROWS_WITH(scalable_layers(1e-300, 0.5, 2, 1, 1),
                    "layers: layer 0 would need more than 256 probes, its rate P (1 - r) being "
                    "below 2^-256; a larger P or a smaller r is allowed");
  CHECK_THROWS_WITH(scalable_layers(0.01, 0.9999999, 1, 1, 1ULL << 40),
                    "layers: more than 65536 layers; let the filter grow faster");
  CHECK_THROWS_WITH(scalable_layers(0.01, 0.9, 65536, 1ULL << 63, 10),
                    "layers: layer 0 would pass 2^62 bits or keys; fewer keys are allowed");
  CHECK_THROWS_WITH(untightened_layers(1, 5, 0.01, 1ULL << 62),
                    "layers: layer 62 would pass 2^62 bits or keys; fewer keys are allowed");
  CHECK_THROWS_WITH(scalable_layers(1.0, 0.5, 1, 1, 1), "layers: P is outside (0, 1)");
  CHECK_THROWS_WITH(scalable_layers(0.5, 1.0, 1, 1, 1), "layers: r is outside (0, 1)");
  CHECK_THROWS_WITH(scalable_layers(0.5, 0.5, 0, 1, 1),
                    "layers: s or n0 is 0; both are at least 1");
  CHECK_THROWS_WITH(untightened_layers(5, 1, 0.0, 1), "layers: fp is outside (0, 1)");
  CHECK_THROWS_AS(untightened_layers(0, 1, 0.1, 1), DomainError);
}

TEST_CASE("layers go to 256 probes, to 65536 of them and below 2^62 bits", "[theory][scalable]") {
  // Rates 1/4, 1/8, ...: the layer number i takes i + 2 probes.
  const auto halving = scalable_layers(0.5, 0.5, 1, 1, 255);
  CHECK(halving.size() == 255);
  CHECK(halving.back().k == 256);
  CHECK_THROWS_WITH(scalable_layers(0.5, 0.5, 1, 1, 256),
                    "layers: layer 255 would need more than 256 probes; fewer layers (larger s or "
                    "n0) or a larger r are allowed");
  CHECK(scalable_layers(0x1p-255, 0.5, 2, 10, 10).front().k == 256);
  CHECK_THROWS_WITH(scalable_layers(0x1p-256, 0.5, 2, 10, 10),
                    Catch::StartsWith("layers: layer 0 would need more than 256 probes, its rate"));
  CHECK(scalable_layers(0.5, 0.9999, 1, 1, 65'536).size() == 65'536);
  CHECK_THROWS_WITH(scalable_layers(0.5, 0.9999, 1, 1, 65'537),
                    "layers: more than 65536 layers; let the filter grow faster");
  // With one probe and a rate of a half ln 2 keys a bit.
  constexpr auto large = std::uint64_t{1} << 61;
  CHECK(untightened_layers(large, 1, 0.5, large / 2).size() == 1);
  CHECK_THROWS_WITH(untightened_layers(large, 1, 0.5, large),
                    "layers: layer 1 would pass 2^62 bits or keys; fewer keys are allowed");
  CHECK_THROWS_WITH(untightened_layers(2 * large, 1, 0.5, 1),
                    "layers: layer 0 would pass 2^62 bits or keys; fewer keys are allowed");
  // No keys: one layer that holds none.
  CHECK(scalable_layers(0.5, 0.5, 1, 1, 0).size() == 1);
  CHECK(scalable_layers(0.5, 0.5, 1, 1, 0).front().n == 0);
}
