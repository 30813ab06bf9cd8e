// Kind `false_positive_rate`: fill a filter with n keys, look up every inserted key, then query
// absent keys: a fixed number of them, or until the rate is known well enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/kinds/measurement.hpp"
#include "experiments/kinds/precision.hpp"

namespace bloomlab::experiments {

class KSliced;

/// Largest number of queries a trial.
inline constexpr std::uint64_t max_queries = std::uint64_t{1} << 40;

struct FalsePositiveRate {
  static constexpr std::string_view name = "false_positive_rate";
  static constexpr std::string_view summary =
      "insert n keys, ask every one of them back, then ask q absent keys";

  /// One of the two is given.
  struct Parameters {
    std::optional<std::uint64_t> queries;
    std::optional<Precision::Parameters> precision;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries", "absent keys queried in every trial", 1, max_queries},
          p.queries);
    visit(ObjectField<Precision>{"precision", "instead of queries: what to reach"}, p.precision);
  }

  /// Distinct absent keys that a trial asks for, at most [keys].
  static std::uint64_t absent_keys(const Parameters& p, std::uint64_t /*n*/) {
    return p.precision ? p.precision->max_queries : *p.queries;
  }

  /// Absent keys that each trial asks for, as far as that is known beforehand: with a precision it
  /// depends on the rate, and a guess stands for it.
  static std::uint64_t expected_absent_keys(const Parameters& p) {
    constexpr std::uint64_t guess = 1'000'000;
    return p.precision ? std::min(guess, p.precision->max_queries) : *p.queries;
  }

  /// A fault of the parameters together with the number of trials, as a text, or nothing.
  static std::optional<std::string> check_trials(const Parameters& p, std::uint64_t trials);

  /// Whether all trials of a cell stop together, so that they are one piece of work.
  static bool joins_trials(const Parameters& p) {
    return p.precision && p.precision->of == Precision::Object::ensemble;
  }

  /// A fault of the parameters together with n, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return std::nullopt;
  }

  /// Whether false negatives are a result; elsewhere one of them fails the run.
  static constexpr bool counts_false_negatives = false;

  /// Whether a filter that can be k-sliced is measured so even alone.
  static constexpr bool always_sliced = false;
  /// Whether all that it asks comes from the key set, so that digests may stand in for keys.
  static constexpr bool asks_its_key_set = true;

  /// Observations of every trial of a cell.
  static std::uint64_t steps(const Parameters& /*p*/) { return 1; }

  /// Measures one filter in one trial: one measurement without a step. With p.precision its
  /// `stopped_by` says why the questions ended: "precision", "hits", "max_queries", and of an
  /// ensemble also "spread" where filters differ so much that more queries cannot help.
  static std::vector<Measurement> measure(const Parameters& p, Implementation& implementation,
                                          const KeySet& keys);

  /// Measures the filters of all trials together, until their mean rate is known as well as
  /// p.precision says: one measurement a trial, all with the same number of queries.
  static std::vector<Measurement> measure_together(
      const Parameters& p, const std::vector<std::unique_ptr<Implementation>>& implementations,
      const std::vector<std::unique_ptr<KeySet>>& keys);

  /// Whether cells may be measured in k-sliced passes: not where each filter stops by itself.
  static bool may_be_sliced(const Parameters& p) { return !p.precision; }

  /// Measures the filters of a slice (see k_sliced.hpp) in one pass, in the order of its k. The
  /// counts are those of measure(); the durations are those of the pass, so they are the same for
  /// every filter and their keys say `group_`.
  static std::vector<Measurement> measure_slice(const Parameters& p, KSliced& slice,
                                                const KeySet& keys);
};

}  // namespace bloomlab::experiments
