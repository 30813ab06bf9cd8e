// The rates of two folders: cell by cell, the filter being the replicate.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/pairs.hpp"
#include "statistics/two_rates.hpp"

namespace bloomlab::analysis::compare {

/// One cell's rate in both folders, tested.
struct RateDifference {
  std::string stem;
  const CellPair* pair = nullptr;
  std::uint64_t first_hits = 0;
  std::uint64_t first_queries = 0;
  std::uint64_t second_hits = 0;
  std::uint64_t second_queries = 0;
  statistics::RateChange change;  ///< at thresholds::interval_level
  double adjusted_p = 1.0;        ///< after Holm, over the tests of the comparison
  bool changed = false;           ///< beyond chance

  /// How far from 1 the ratio's interval reaches, up or down: the size that cannot be excluded.
  [[nodiscard]] double possible_size() const;
};

/// What the cells of one pair of files say of rates and other counts.
struct RateFindings {
  std::vector<RateDifference> tested;
  std::uint64_t equal_counts = 0;             ///< cells: seeds and all counts are equal, no test
  std::vector<const CellPair*> other_counts;  ///< seeds are equal, hits are or are none, others not
  /// Cells: hits are not counted, there are none, or nobody knows the filters' spread.
  std::uint64_t untested = 0;
};

/// Tests the rates of a pair of files; adjusted p-values are left at 1.
/// Throws record::InputError, naming the file, for counts that cannot be.
[[nodiscard]] RateFindings rate_findings(const FilePair& files);

}  // namespace bloomlab::analysis::compare
