// A filter's measured rate against its own closed form: what the tests of each filter share.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "core/theory/models.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::test {

/// How a rate is measured: `trials` filters of n keys under seeds 1, 2, ..., each asked for
/// `absent_keys` keys that were not inserted.
struct Measured {
  std::uint64_t n = 0;
  std::size_t trials = 0;
  std::size_t absent_keys = 0;
};

/// Checks, for independent probes (or the filter's own positions),
/// * the mean conditional rate over the trials against the closed form that the filter names,
/// within
///   five of its standard errors: false by chance with probability 6e-7 for many trials, 2e-5 for
///   30 (Student's t);
/// * the hits among absent keys against the trials' conditional rates, within five standard
///   deviations: 6e-7. The first finds faults of the inserts, the second those of the lookups.
template <class Filter>
void check_rate(const typename Filter::Parameters& parameters, const Measured& measured) {
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  const auto inserted_keys = keys(0, measured.n);
  const auto absent_keys = keys(std::uint64_t{1} << 40, measured.absent_keys);
  double sum = 0.0;
  double squares = 0.0;
  double variance = 0.0;
  std::uint64_t hits = 0;
  for (std::size_t trial = 1; trial <= measured.trials; ++trial) {
    Implementation<Filter> implementation(parameters, probe, measured.n, trial);
    implementation.insert(inserted_keys);
    const double rate = implementation.filter().state().conditional_rate;
    sum += rate;
    squares += rate * rate;
    variance += rate * (1.0 - rate) * static_cast<double>(absent_keys.size());
    hits += implementation.count_contained(absent_keys);
  }
  const auto trials = static_cast<double>(measured.trials);
  const double mean = sum / trials;
  const double error = std::sqrt((squares / trials - mean * mean) / (trials - 1.0));
  const double truth = theory::evaluate(Filter::prediction(parameters, measured.n)).number();
  INFO("closed form " << truth << ", mean " << mean << " +- " << error << ", hits " << hits);
  CHECK(std::abs(mean - truth) <= 5.0 * error);
  const double expected = sum * static_cast<double>(absent_keys.size());
  CHECK(expected >= 100.0);  // else the normal bound below means nothing
  CHECK(std::abs(static_cast<double>(hits) - expected) <= 5.0 * std::sqrt(variance));
}

}  // namespace bloomlab::test
