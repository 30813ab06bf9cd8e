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
#include "experiments/cells/experiment.hpp"

namespace bloomlab::experiments {

struct Census final : FilterExperiment {
  static constexpr std::string_view name = "census";
  static constexpr std::string_view summary =
      "insert n keys of 32 bits, then ask all 2^32: the filter's rate without sampling";

  /// Number of keys of the universe.
  static constexpr std::uint64_t universe_keys = std::uint64_t{1} << 32;
  static constexpr int key_bytes = 4;
  /// Consecutive integers that make a block of questions.
  static constexpr std::uint64_t block_keys = std::uint64_t{1} << 20;
  static constexpr std::uint64_t blocks = universe_keys / block_keys;

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  explicit Census(Parameters /*p*/ = {}) {}

  std::string_view kind() const override { return name; }
  std::optional<std::string> check(const Cell& cell) const override;
  /// All keys that are not inserted keys.
  std::uint64_t absent_keys(std::uint64_t n) const override {
    return n < universe_keys ? universe_keys - n : 1;
  }
  std::optional<Universe> universe() const override { return Universe{universe_keys, key_bytes}; }
  bool may_be_sliced() const override { return true; }
  bool always_sliced() const override { return true; }  // questions dominate
  bool asks_its_key_set() const override { return false; }

  /// Beside the usual counts: `blocks`, those with inserted keys only left out, and
  /// `covered_clopper_pearson`, `covered_wilson`: how many of the blocks' intervals at
  /// thresholds::interval_level contain the filter's rate over all absent keys.
  std::vector<Measurement> measure(Implementation& implementation,
                                   const KeySet& keys) const override;
  std::vector<Measurement> measure_slice(KSliced& slice, const KeySet& keys) const override;
};

}  // namespace bloomlab::experiments
