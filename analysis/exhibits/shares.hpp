// Shares that were counted, such as how often intervals contained their truth or tests rejected,
// held against what they are to be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/content.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::analysis {

/// A share, and where it may lie by chance: the exact interval at thresholds::simulation_level.
/// Ends that are equal: the share is summed over all counts, and nothing is left to chance.
struct Share {
  double value = unknown;
  statistics::Interval interval;

  [[nodiscard]] bool is_known() const { return value == value; }
  [[nodiscard]] bool is_sum() const { return !(interval.low < interval.high); }
};

/// `count` of `of`, both as they were counted; unknown for `of` = 0. count <= of.
[[nodiscard]] Share counted_share(std::uint64_t count, std::uint64_t of);
[[nodiscard]] Share summed_share(double value);

/// What is required of a share.
enum class Promise {
  none,            ///< nothing: shown for comparison
  at_least_level,  ///< an exact interval: covers at least thresholds::interval_level
  near_level,      ///< an approximate one: that level within thresholds::coverage_tolerance
};

/// Whether the share can be what is promised: some value of its interval is.
[[nodiscard]] bool keeps(const Share& share, Promise promise);

/// Whether a test that rejects this share can be one of level `alpha`.
[[nodiscard]] bool keeps_alpha(const Share& rejections, double alpha);

/// Of many promises, how many were kept, and the places of those that were not.
struct Tally {
  std::uint64_t promises = 0;
  std::vector<std::string> broken;

  void add(bool kept, const std::string& place);
  [[nodiscard]] std::uint64_t kept() const { return promises - broken.size(); }
};

/// An entry "0.950 [0.946, 0.954]", or "0.9468" for a sum; a dash where nothing is known.
[[nodiscard]] Entry share_entry(const Share& share, bool marked);

/// A number that was set, such as expected hits, in as few digits as it has; a dash for NaN.
[[nodiscard]] Entry setting_entry(double value);

/// The least and the greatest of some shares.
struct ShareRange {
  double least = unknown;
  double greatest = unknown;

  void add(const Share& share);
  [[nodiscard]] std::string text() const;  ///< "94.5 % – 95.2 %"; a dash for none
};

}  // namespace bloomlab::analysis
