// Kind `census`: fill a filter with n of the 2^32 keys of 32 bits, then ask every key that there
// is. The filter's rate is then known, not sampled: the ground truth for rates too small to sample,
// and for the intervals themselves, which are made from each block of 2^20 questions and must
// contain that known rate as often as they say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/kinds/measurement.hpp"

namespace bloomlab::experiments {

class KSliced;

struct Census {
  static constexpr std::string_view name = "census";
  static constexpr std::string_view summary =
      "insert n keys of 32 bits, then ask all 2^32: the filter's rate without sampling";

  /// Number of keys of the universe.
  static constexpr std::uint64_t universe = std::uint64_t{1} << 32;
  /// Width of its keys [bytes]; the source must have this width and supply them all.
  static constexpr int universe_bytes = 4;
  /// Consecutive integers that make a block of questions.
  static constexpr std::uint64_t block_keys = std::uint64_t{1} << 20;
  static constexpr std::uint64_t blocks = universe / block_keys;

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Distinct absent keys that a trial asks for [keys]: all keys that are not inserted keys.
  static std::uint64_t absent_keys(const Parameters& /*p*/, std::uint64_t n) {
    return n < universe ? universe - n : 1;
  }

  /// A fault of the parameters together with n, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, std::uint64_t n);

  /// Whether false negatives are a result; elsewhere one of them fails the run.
  static constexpr bool counts_false_negatives = false;
  /// Whether cells may be measured in k-sliced passes.
  static bool may_be_sliced(const Parameters& /*p*/) { return true; }
  /// Whether a filter that can be k-sliced is measured so even alone: questions dominate.
  static constexpr bool always_sliced = true;
  /// Whether all that it asks comes from the key set, so that digests may stand in for keys.
  static constexpr bool asks_its_key_set = false;

  /// Observations of every trial of a cell.
  static std::uint64_t steps(const Parameters& /*p*/) { return 1; }

  /// Measures one filter in one trial. Beside the usual counts: `blocks`, those with inserted keys
  /// only left out, and `covered_clopper_pearson`, `covered_wilson`: how many of the blocks'
  /// intervals at thresholds::interval_level contain the filter's rate over all absent keys.
  static std::vector<Measurement> measure(const Parameters& p, Implementation& implementation,
                                          const KeySet& keys);

  /// Measures the filters of a slice (k_sliced.hpp) in one pass, with the counts of measure().
  static std::vector<Measurement> measure_slice(const Parameters& p, KSliced& slice,
                                                const KeySet& keys);
};

}  // namespace bloomlab::experiments
