// What deleting keys from a filter of ideal hashing costs: models of the counters, against which
// the counts of the kind `counting_deletion` are held.
#pragma once

#include <cstdint>

#include "statistics/hit_law.hpp"

namespace bloomlab::analysis {

/// A filter, and how many keys are deleted from it.
struct FilterAfterDeletions {
  std::uint64_t m = 0;          ///< counters, or bits
  std::uint64_t n = 0;          ///< distinct keys inserted
  std::uint64_t k = 0;          ///< probes per key
  std::uint64_t deletions = 0;  ///< members deleted, <= n
};

/// Inserted keys that a plain filter loses when the bits of `deletions` others are cleared, exact
/// for ideal hashing: (n - e) (1 - sum_d P(k draws hit d of m positions) (1 - d/m)^(ke)).
[[nodiscard]] double lost_by_clearing(const FilterAfterDeletions& filter);

/// Inserted keys that a plain filter loses when the bits of `deleted` absent keys that it reports
/// are cleared; mean field: set bits are followed by their mean.
[[nodiscard]] double lost_by_clearing_absent_keys(const FilterAfterDeletions& filter,
                                                  double deleted);

/// Inserted keys that a counting filter loses when `deleted` absent keys that it reports are
/// deleted. An absent key that is reported lowers k counters, each evenly drawn from those above
/// zero; a member is lost when one of its own reaches zero. Mean field: the counters' values are
/// followed by their distribution. For one absent key n (1 - (1 - p/n)^k) to first order in 1/n,
/// with p the share of ones among the counters above zero (about k p). After Guo, Liu, Li, Yang
/// 2010, "False negative problem of counting Bloom filter".
[[nodiscard]] double lost_by_wrong_deletions(const FilterAfterDeletions& filter, double deleted);

/// The rate after `deletions` members were deleted from counters that stick at `largest`: the exact
/// rate of the n - e keys left, times (fill with stuck counters / fill without)^k. A counter is
/// above zero then if a key left raised it, or if those deleted alone took it to its largest value.
/// @return mean and variance between filters
[[nodiscard]] statistics::RateLaw rate_after_deleting(const FilterAfterDeletions& filter,
                                                      std::uint64_t largest);

}  // namespace bloomlab::analysis
