// Filters simulated by their law alone, without a filter of the project: kn balls thrown into m
// bins. The rate of such a filter for ideal probes is (X/m)^k, X the bins that were hit.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "statistics/hit_law.hpp"

namespace bloomlab::statistics::simulated {

/// Variance of hits / N over filters and queries, by its two stages.
inline double pooled_rate_variance(const RateLaw& law, const Sampling& sampling) {
  return law.variance / static_cast<double>(sampling.trials) +
         (law.rate * (1.0 - law.rate) - law.variance) / sampling.total();
}

/// A small filter with mean and variance of its rate and of its set bits, computed with 60 digits
/// from the moments E[X^q] = m^q sum_j S2(q, j) (m)_j / m^q sum_i (-1)^i C(j, i) (1 - i/m)^(kn).
struct KnownFilter {
  int bits = 1000;
  int keys = 100;
  int probes = 7;
  RateLaw rate{0.0082662475148435663, 1.0223801082116288e-6};
  double mean_set_bits = 503.58858656890071;
  double variance_set_bits = 77.377903237033839;
};

/// Set bits of one filter.
inline int set_bits(const KnownFilter& filter, std::mt19937_64& random) {
  std::vector<bool> hit(static_cast<std::size_t>(filter.bits));
  std::uniform_int_distribution<std::size_t> bin(0, hit.size() - 1);
  int count = 0;
  for (int throw_number = 0; throw_number < filter.keys * filter.probes; ++throw_number) {
    const std::size_t place = bin(random);
    count += hit[place] ? 0 : 1;
    hit[place] = true;
  }
  return count;
}

/// The rates of many filters.
inline std::vector<double> rates(const KnownFilter& filter, int count, std::mt19937_64& random) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(
        std::pow(static_cast<double>(set_bits(filter, random)) / filter.bits, filter.probes));
  }
  return result;
}

/// Hits of `queries` questions to each filter.
inline std::vector<std::uint64_t> hits(const std::vector<double>& rates, std::uint64_t queries,
                                       std::mt19937_64& random) {
  std::vector<std::uint64_t> result;
  for (const double rate : rates) {
    std::binomial_distribution<std::uint64_t> law(queries, rate);
    result.push_back(law(random));
  }
  return result;
}

/// Four and a half standard deviations of a share counted in `runs` experiments: a right share
/// lies further off with probability 7e-6.
inline double slack(double share, int runs) {
  return 4.5 * std::sqrt(share * (1.0 - share) / runs);
}

}  // namespace bloomlab::statistics::simulated
