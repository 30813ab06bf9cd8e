// What holds of a student's filter, in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text/words.hpp"
#include "lab/assignment.hpp"
#include "lab/cases.hpp"
#include "lab/rates.hpp"

namespace bloomlab::lab {

/// A property, and whether it holds.
struct Finding {
  bool holds = false;
  std::string text;
};

/// The result where nothing is known of the filter.
inline constexpr std::string_view not_graded = "not_graded";

/// All findings of one submission.
struct Verdict {
  /// "passed", "failed" (it ran and something does not hold), "not_built", "no_toolchain",
  /// "unreadable", "not_graded" (this system failed, not the filter), or how it failed: "crashed",
  /// "timeout", "memory", ... (foreign/failure.hpp).
  std::string result;
  std::vector<Finding> findings;
  std::optional<Rate> rate;  ///< of the first case, where it was measured

  [[nodiscard]] std::size_t held() const;
};

/// Builds the filter in its folder and tries all cases. A time limit, memory limit or failure to
/// start ends the trials, and all calls together take at most ten times the limit of one. Where
/// all holds the memory is measured, within the same time again.
/// `words` is the list "lab".
[[nodiscard]] Verdict judge(const Assignment& assignment, const CaseBook& book,
                            const analysis::Words& words);

}  // namespace bloomlab::lab
