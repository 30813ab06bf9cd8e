// Every threshold of the analysis, in one place: what counts as few, as many, as wrong. A report
// prints this list, so that no verdict hangs on a number that the reader cannot see. Changing a
// value changes verdicts: it needs a line in the changelog and a complete new run.
#pragma once

#include <span>
#include <string_view>

namespace bloomlab::statistics {

/// A number that decides, with its name and what it decides. Reads as its value.
struct Threshold {
  std::string_view name;
  double value;
  std::string_view meaning;

  // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever its value may stand.
  constexpr operator double() const noexcept { return value; }
};

namespace thresholds {

inline constexpr Threshold family_alpha{
    "family_alpha", 0.01, "probability that a table of right cells shows any flag (Holm)"};
inline constexpr Threshold interval_level{"interval_level", 0.95,
                                          "confidence level of an interval that stands alone"};
inline constexpr Threshold simultaneous_level{
    "simultaneous_level", 0.99, "confidence that all intervals of one table hold together"};
inline constexpr Threshold power{"power", 0.90,
                                 "probability of noticing the minimum detectable effect"};
inline constexpr Threshold fill_only_effect{
    "fill_only_effect", 0.10,
    "a cell whose hits cannot show a relative effect this small is labelled fill-based only"};
inline constexpr Threshold few_hits{
    "few_hits", 30.0,
    "below this many hits (or misses, if fewer) intervals are exact, not approximate"};
inline constexpr Threshold minimum_trials{
    "minimum_trials", 5.0,
    "from this many filters on, their observed spread makes the ensemble's interval"};
inline constexpr Threshold binomial_design_effect{
    "binomial_design_effect", 1.02,
    "up to this ratio of the variance to the binomial one, hits are treated as binomial"};
inline constexpr Threshold normal_skewness{
    "normal_skewness", 0.02,
    "tests use the normal law only for counts whose skewness is at most this (2500 hits, Poisson)"};

/// All of the above, in this order.
[[nodiscard]] std::span<const Threshold> all() noexcept;

}  // namespace thresholds
}  // namespace bloomlab::statistics
