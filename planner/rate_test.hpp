// What a unit test of a filter's rate may assert, and the code that asserts it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/fields.hpp"

namespace bloomlab::planner {

/// A test: one filter, `trials` absent keys, a failure for more false positives than the bound.
struct RateTest {
  double fpr = 0.0;  ///< rate that the filter has, in (0, 1)
  std::uint64_t trials = 0;
  double alpha = 0.0;       ///< most false alarms, in (0, 1)
  std::uint64_t items = 0;  ///< keys of the filter; 0: no spread of its own rate
  double power = 0.9;       ///< of what is called detected, in (0, 1)
};

/// A deviation and the trials that detect it.
struct TrialsNeeded {
  double deviation;                     ///< 0.1: a rate 10 % too high
  std::optional<std::uint64_t> trials;  ///< nothing: as theory::trials_for says

  BLOOMLAB_FIELDS(deviation, trials)
};

/// The answer.
struct RateTestPlan {
  std::uint64_t max_false_positives = 0;
  double false_alarm = 0.0;                 ///< probability that a right filter fails, <= alpha
  std::optional<double> detected_factor;    ///< times the rate, that fails with the power
  std::optional<double> detected_rate;      ///< that rate, at most 1; nothing where none does
  std::vector<TrialsNeeded> trials_needed;  ///< for 5, 10, 20, 50 and 100 %
};

/// Throws theory::DomainError outside the domain.
[[nodiscard]] RateTestPlan plan_rate_test(const RateTest& test);

/// The least bound for a probability of a false alarm.
struct LeastLimit {
  double alpha;
  std::uint64_t limit;
  double false_alarm;  ///< of that bound, <= alpha

  BLOOMLAB_FIELDS(alpha, limit, false_alarm)
};

/// What a test with a bound of its own is worth.
struct LimitVerdict {
  double false_alarm = 0.0;               ///< probability that a right filter fails
  std::optional<double> detected_factor;  ///< as in RateTestPlan
  std::optional<double> detected_rate;
  std::vector<LeastLimit> least_limits;  ///< for test.alpha and the usual ones, by falling alpha
};

/// Judges the bound `limit` in place of the one that test.alpha gives. Throws theory::DomainError
/// outside the domain.
[[nodiscard]] LimitVerdict judge_limit(const RateTest& test, std::uint64_t limit);

/// Names of the languages that there are snippets for: "cpp", "go", "jest", "junit", "pytest".
[[nodiscard]] std::span<const std::string_view> snippet_names();

/// A test in that language that asserts the plan's bound. Throws record::InputError for another
/// name.
[[nodiscard]] std::string snippet(std::string_view name, const RateTest& test,
                                  const RateTestPlan& plan);

}  // namespace bloomlab::planner
