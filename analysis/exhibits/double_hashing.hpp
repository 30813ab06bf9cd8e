// Positions that derive from few words, held against their own closed form: what the sections on
// index families share.
#pragma once

#include <string>
#include <vector>

#include "analysis/content.hpp"
#include "analysis/exhibits/helpers.hpp"

namespace bloomlab::analysis {

/// A cell of double hashing against the exact rate of its own stride, by the confirmation run where
/// there is one, as it has more filters.
struct PairsCheck {
  const Measurement* measured = nullptr;  ///< of the confirmation run if there is one
  double ideal = unknown;                 ///< exact rate of independent positions
  double own = unknown;                   ///< exact rate of the index family
  Deviation deviation;                    ///< measured / own - 1, interval at the level below
  double detectable = unknown;            ///< relative effect on `own` that would have been noticed

  /// Level of the interval, and of the test whose detectable effect is given.
  static constexpr double level = 0.99;
  /// The own rate lies in the interval.
  [[nodiscard]] bool inside() const { return deviation.low <= 0 && deviation.high >= 0; }
};

/// Every cell whose index family has a closed form at its size, and at least two filters.
[[nodiscard]] std::vector<PairsCheck> pairs_checks(const Experiment& experiment);

/// The table "pairs": one line a check.
[[nodiscard]] Table pairs_table(const std::vector<PairsCheck>& checks, const Words& words);

/// "20 of 21": checks whose interval holds the own rate; "–" where there are none.
[[nodiscard]] std::string pairs_inside(const std::vector<PairsCheck>& checks, const Words& words);

/// The largest detectable effect of the checks, as text.
[[nodiscard]] std::string pairs_detectable(const std::vector<PairsCheck>& checks);

}  // namespace bloomlab::analysis
