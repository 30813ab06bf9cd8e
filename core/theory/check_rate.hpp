// For tests of a program: does a filter keep its false-positive rate? Counts the absent keys that
// it accepts and compares with the bound that a filter of that rate passes with probability alpha
// only.
//
//     const auto has = [&](const auto& key) { return mine.contains(key); };
//     const auto check = bloomlab::check_rate(absent, has, {.fpr = 0.01, .items = 10'000});
//     EXPECT_TRUE(check.passed()) << check.message();
//
// The bound is exact: binomial, or with `items` a mixture over the fill of the one filter that the
// test builds (core/theory/rate_bound.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "core/theory/rate_bound.hpp"

namespace bloomlab {

/// What is to be kept.
struct RateDemand {
  double fpr = 0.01;        ///< rate, in (0, 1)
  double alpha = 1e-6;      ///< probability that a right filter fails the test, in (0, 1)
  std::uint64_t items = 0;  ///< keys in the filter; 0: its own rate is fpr, without spread
};

/// What was counted.
struct RateCheck {
  std::uint64_t false_positives = 0;
  std::uint64_t trials = 0;
  std::uint64_t max_false_positives = 0;

  [[nodiscard]] bool passed() const { return false_positives <= max_false_positives; }
  [[nodiscard]] std::string message() const {
    return std::to_string(false_positives) + " false positives in " + std::to_string(trials) +
           " absent keys; at most " + std::to_string(max_false_positives) + " are allowed";
  }
};

/// Asks `contains` for every key of the range, none of which was inserted.
/// Throws theory::DomainError for an empty range and a demand out of its domain.
template <class Range, class Contains>
[[nodiscard]] RateCheck check_rate(const Range& absent, Contains&& contains,
                                   const RateDemand& demand) {
  RateCheck check;
  for (const auto& key : absent) {
    ++check.trials;
    if (contains(key)) ++check.false_positives;
  }
  const theory::FalsePositiveLaw law(theory::own_rate_law_at(demand.fpr, demand.items),
                                     check.trials);
  check.max_false_positives = law.smallest_bound(demand.alpha);
  return check;
}

}  // namespace bloomlab
