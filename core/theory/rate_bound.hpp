// How many false positives a test may allow: a filter of rate p is asked `trials` absent keys, and
// the test fails above a bound. The law of the count is binomial where the filter's own rate is p;
// where only the mean over filters is known, it is that of one filter drawn at random: a mixture of
// binomials over the number X of set bits, each with the rate (X/m)^k.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// A rate that a filter may have of its own, with its probability.
struct RateWeight {
  double weight = 1.0;  ///< all weights together are 1
  double rate = 0.0;
};

/// The law of a filter's own rate (X/m)^k after n keys, rates ascending. Up to 30 000 positions k n
/// by the recurrence of X over them, without those X that together have less than 10^-15;
/// beyond by Temme 1993, "Asymptotic estimates of Stirling numbers", with relative error about
/// 1/(k n), of some hundred X that carry all but 10^-15.
/// @param m >= 1   @param n >= 1   @param k 1..256. Throws DomainError.
[[nodiscard]] std::vector<RateWeight> own_rate_law(std::uint64_t m, std::uint64_t n,
                                                   std::uint64_t k);

/// The same for the smallest standard filter with that rate for n keys, every rate scaled so that
/// the mean is p; one rate, p itself, for n = 0.
/// @param p in (0, 1)
[[nodiscard]] std::vector<RateWeight> own_rate_law_at(double p, std::uint64_t n);

/// A count of false positives in `trials` queries of absent keys.
class FalsePositiveLaw {
 public:
  /// @param rates the filter's own rate: one entry, or own_rate_law   @param trials 1 .. 2^53
  FalsePositiveLaw(std::vector<RateWeight> rates, std::uint64_t trials);

  /// P(count > bound), and where the mean rate is `factor` times as high: every filter's rate is
  /// scaled by one number, but to at most 1, so that the mean is factor times mean_rate().
  /// Within a relative error of 10^-12. @param factor >= 0; from 1 / mean_rate() on every rate is 1
  [[nodiscard]] double above(std::uint64_t bound, double factor = 1.0) const;

  /// The smallest bound with P(count > bound) <= alpha: what a test should allow.
  /// @param alpha in (0, 1)
  [[nodiscard]] std::uint64_t smallest_bound(double alpha) const;

  /// The smallest factor, from 1 to 1 / mean_rate(), at which the count passes the bound with that
  /// power; nothing where even the rate 1 does not.
  [[nodiscard]] std::optional<double> detected_factor(std::uint64_t bound, double power) const;

  [[nodiscard]] double mean_rate() const;
  [[nodiscard]] std::uint64_t trials() const { return trials_; }

 private:
  [[nodiscard]] double scale_for(double factor) const;

  std::vector<RateWeight> rates_;
  std::uint64_t trials_;
};

/// The most trials that trials_for looks at, 4.5e15.
inline constexpr std::uint64_t most_searched_trials = std::uint64_t{1} << 52;

/// The fewest trials whose bound at `alpha` detects a rate `factor` times as high with that power,
/// within a tenth of a per cent; nothing where the spread of the filters' own rates hides it from
/// any number, or where more than most_searched_trials would be needed.
/// @param factor > 1
[[nodiscard]] std::optional<std::uint64_t> trials_for(std::vector<RateWeight> rates, double alpha,
                                                      double factor, double power);

}  // namespace bloomlab::theory
