// What a wrong guess costs: the rate of a planned filter when n, k or m turn out differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace bloomlab::planner {

/// The plan with one quantity changed.
struct Shift {
  std::string change;  ///< "n + 1 %", for few keys "n + 1"; "k - 1", "m down to a power of two"
  std::uint64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  double rate = 0.0;   ///< exact
  double ratio = 1.0;  ///< over the plan's exact rate
};

/// What room for more keys costs: a standard filter made for the larger number at once, or a
/// scalable one (tightening 0.85, growth 2) started for the planned n that has grown to it.
struct Growth {
  double factor = 1.0;              ///< on the planned n
  std::uint64_t n = 0;              ///< keys, then
  std::uint64_t plain_bits = 0;     ///< memory of the smallest standard filter for them
  std::uint64_t scalable_bits = 0;  ///< memory of the scalable filter with all its layers
  std::uint64_t layers = 0;         ///< of the scalable filter
  /// Up to so many keys the scalable filter takes less than `plain_bits`; 0: it never does.
  std::uint64_t scalable_less_up_to = 0;
};

/// How far the rate moves, and what a filter that grows costs.
struct Sensitivity {
  std::vector<Shift>
      shifts;  ///< n up by 1 %, 10 %, to 2 and 10 times; k off by one; m a power of 2
  /// d ln rate / d ln n at the plan, by the approximate rate; at the best fill k ln 2. A slope: for
  /// 1 % more keys the rate rises by a little more, see `shifts`.
  double elasticity = 0.0;
  std::uint64_t most_keys = 0;          ///< keys with which the rate still is at most p, this k
  std::uint64_t most_keys_twice = 0;    ///< ... at most 2 p
  std::uint64_t most_keys_tenfold = 0;  ///< ... at most 10 p, where that is below 1; else 0
  /// For n, 1.5, 2, 3 and 10 times n, at the plan's rate p; shorter where no such filter is
  /// possible.
  std::vector<Growth> growth = {};
};

/// The sensitivity of a plan.
[[nodiscard]] Sensitivity sensitivity_of(const Plan& plan);

}  // namespace bloomlab::planner
