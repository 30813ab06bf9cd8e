// The laws from which the calibration draws, against enumeration and against theory.
#include "experiments/kinds/calibration_laws.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "core/bits/conditional_rate.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::experiments {
namespace {

double probability_of(const DiscreteLaw& law, std::uint64_t number) {
  if (number < law.first() || number >= law.first() + law.size()) return 0.0;
  return law.probability(static_cast<std::size_t>(number - law.first()));
}

TEST_CASE("set bits follow the occupancy of bins by balls", "[calibration][law]") {
  // Three bins. Two balls: 1/3 in one bin. Four balls: 3 / 81, 42 / 81, 36 / 81.
  const DiscreteLaw two = set_bits_law(3, 1, 2);
  CHECK(probability_of(two, 1) == Approx(1.0 / 3.0).epsilon(1e-14));
  CHECK(probability_of(two, 2) == Approx(2.0 / 3.0).epsilon(1e-14));
  const DiscreteLaw four = set_bits_law(3, 2, 2);
  CHECK(probability_of(four, 1) == Approx(3.0 / 81.0).epsilon(1e-14));
  CHECK(probability_of(four, 2) == Approx(42.0 / 81.0).epsilon(1e-14));
  CHECK(probability_of(four, 3) == Approx(36.0 / 81.0).epsilon(1e-14));
  CHECK(set_bits_law(1, 5, 3).at(0.5) == 1);
  CHECK(set_bits_law(7, 1, 1).at(0.999) == 1);
}

TEST_CASE("set bits have theory's mean and variance, and give its exact rate",
          "[calibration][law]") {
  struct Filter {
    std::uint64_t m;
    std::uint64_t n;
    std::uint64_t k;
  };
  for (const Filter& filter :
       {Filter{64, 10, 4}, Filter{1000, 100, 7}, Filter{1024, 400, 3}, Filter{20000, 50, 2}}) {
    CAPTURE(filter.m);
    const DiscreteLaw law = set_bits_law(filter.m, filter.n, filter.k);
    double mean = 0.0;
    double rate = 0.0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      mean += law.probability(i) * static_cast<double>(law.first() + i);
      rate += law.probability(i) * conditional_rate(law.first() + i, filter.m, filter.k);
    }
    double variance = 0.0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      variance += law.probability(i) * std::pow(static_cast<double>(law.first() + i) - mean, 2);
    }
    CHECK(mean == Approx(theory::mean_set_bits(filter.m, filter.n, filter.k)).epsilon(1e-12));
    CHECK(variance == Approx(theory::var_set_bits(filter.m, filter.n, filter.k)).epsilon(1e-8));
    CHECK(rate == Approx(theory::exact_fpr(filter.m, filter.n, filter.k)).epsilon(1e-11));
  }
}

TEST_CASE("hits are binomial", "[calibration][law]") {
  const DiscreteLaw law = hits_law(4, 0.3);
  for (std::uint64_t hits = 0; hits <= 4; ++hits) {
    const auto h = static_cast<double>(hits);
    const double ways = std::round(std::tgamma(5.0) / std::tgamma(h + 1) / std::tgamma(5 - h));
    CHECK(probability_of(law, hits) ==
          Approx(ways * std::pow(0.3, h) * std::pow(0.7, 4 - h)).epsilon(1e-13));
  }
  CHECK(hits_law(9, 0.0).at(0.999) == 0);
  CHECK(hits_law(9, 1.0).at(0.0) == 9);
  // Rare hits of very many queries: Poisson.
  CHECK(probability_of(hits_law(std::uint64_t{1} << 50, 0x3p-50), 0) ==
        Approx(std::exp(-3.0)).epsilon(1e-12));
}

TEST_CASE("random numbers are uniform, and the same for the same seed", "[calibration][law]") {
  // Chi-square of 20 000 in 16 cells: above 48.3 with probability 2e-5 (15 degrees).
  CounterRandom random(5);
  CounterRandom again(5);
  std::array<int, 16> cells{};
  bool same = true;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t cell = random.below(16);
    same = same && cell == again.below(16);
    ++cells.at(cell);
  }
  double chi_square = 0.0;
  for (const int count : cells) chi_square += std::pow(count - 1250, 2) / 1250.0;
  CHECK(chi_square < 48.3);
  CHECK(same);
  CHECK(CounterRandom(6).bits() != CounterRandom(5).bits());
  CHECK(CounterRandom(6).below(1) == 0);
}

TEST_CASE("queries until a fixed hit follow the negative binomial law", "[calibration][law]") {
  // P(N = x) = (x - 1) p^2 (1 - p)^(x - 2) for the second hit, whatever the batches. 4.5 standard
  // deviations for each: 7e-6.
  const int runs = 20000;
  for (const std::uint64_t batch : {1U, 5U, 40U}) {
    CAPTURE(batch);
    HitSampler sampler({0.1, 0.3});
    CounterRandom random(9);
    std::map<std::uint64_t, int> seen;
    for (int i = 0; i < runs; ++i) ++seen[sampler.queries_until(1, 2, batch, random)];
    for (std::uint64_t queries = 2; queries <= 12; ++queries) {
      const auto x = static_cast<double>(queries);
      const double expected = (x - 1) * 0.09 * std::pow(0.7, x - 2);
      CHECK(std::abs(static_cast<double>(seen[queries]) / runs - expected) <
            4.5 * std::sqrt(expected / runs));
    }
  }
}

TEST_CASE("the hits of a sort of filter have its rate", "[calibration][law]") {
  HitSampler sampler({0.1, 0.3});
  CounterRandom random(10);
  double first = 0.0;
  double second = 0.0;
  for (int i = 0; i < 20000; ++i) {
    first += static_cast<double>(sampler.hits(0, 50, random));
    second += static_cast<double>(sampler.hits(1, 50, random));
  }
  // 10^6 queries each, 4.5 standard deviations.
  CHECK(std::abs(first / 1e6 - 0.1) < 4.5 * 0.0003);
  CHECK(std::abs(second / 1e6 - 0.3) < 4.5 * 0.00046);
}

}  // namespace
}  // namespace bloomlab::experiments
