// Kind `false_positive_rate`: fill a filter with n keys, ask every member back, then ask strangers.
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

/// Largest number of queries a trial.
inline constexpr std::uint64_t max_queries = std::uint64_t{1} << 40;

struct FalsePositiveRate {
  static constexpr std::string_view name = "false_positive_rate";
  static constexpr std::string_view summary =
      "insert n keys, ask every one of them back, then ask q strangers";

  struct Parameters {
    std::uint64_t queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries", "strangers asked in every trial", 1, max_queries},
          p.queries);
  }

  /// Distinct strangers that a trial asks for [keys].
  static std::uint64_t strangers(const Parameters& p) { return p.queries; }

  /// A fault of the parameters together with n, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return std::nullopt;
  }

  /// Whether false negatives are a result; elsewhere one of them fails the run.
  static constexpr bool counts_false_negatives = false;

  /// Observations of every trial of a cell.
  static std::uint64_t steps(const Parameters& /*p*/) { return 1; }

  /// Measures one filter in one trial: one measurement without a step.
  static std::vector<Measurement> measure(const Parameters& p, Subject& subject,
                                          const KeySet& keys);

  /// Measures the filters of a slice (see k_sliced.hpp) in one pass, in the order of its k. The
  /// counts are those of measure(); the durations are those of the pass, so they are the same for
  /// every filter and their keys say `group_`.
  static std::vector<Measurement> measure_slice(const Parameters& p, KSliced& slice,
                                                const KeySet& keys);
};

}  // namespace bloomlab::experiments
