// What a wrong guess costs: the rate of a planned filter when n, k or m turn out differently.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/planner/plan.hpp"

namespace bloomlab::analysis::planner {

/// The plan with one quantity changed.
struct Shift {
  std::string change;  ///< "n + 1 %", "k - 1", "m down to a power of two"
  std::uint64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  double rate = 0.0;   ///< exact
  double ratio = 1.0;  ///< over the plan's exact rate
};

/// How far the rate moves, and when a filter that grows is the better choice.
struct Sensitivity {
  std::vector<Shift>
      shifts;  ///< n up by 1 %, 10 %, to 2 and 10 times; k off by one; m a power of 2
  /// d ln rate / d ln n at the plan: by so many per cent the rate rises for 1 % more keys. At the
  /// best fill, k ln 2. By the approximate rate.
  double elasticity = 0.0;
  std::uint64_t most_keys = 0;          ///< keys with which the rate still is at most p, this k
  std::uint64_t most_keys_twice = 0;    ///< ... at most 2 p
  std::uint64_t most_keys_tenfold = 0;  ///< ... at most 10 p, where that is below 1; else 0
  /// A scalable filter started for n (tightening 0.85, growth 2) takes as much memory as a standard
  /// filter for this many times n at the same rate: where n may grow beyond it, planning for the
  /// largest n costs more memory at first. Nothing where no such filter is possible.
  std::optional<double> scalable_pays_beyond = std::nullopt;
};

/// The sensitivity of a plan.
[[nodiscard]] Sensitivity sensitivity_of(const Plan& plan);

}  // namespace bloomlab::analysis::planner
