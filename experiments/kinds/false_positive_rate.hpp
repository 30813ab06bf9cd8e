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
#include "experiments/cells/experiment.hpp"
#include "experiments/kinds/precision.hpp"

namespace bloomlab::experiments {

/// Largest number of queries a trial.
inline constexpr std::uint64_t max_queries = std::uint64_t{1} << 40;

struct FalsePositiveRate final : FilterExperiment {
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

  explicit FalsePositiveRate(Parameters p) : parameters_(p) {}

  std::string_view kind() const override { return name; }
  std::optional<std::string> check_trials(std::uint64_t trials) const override;
  std::uint64_t absent_keys(std::uint64_t /*n*/) const override {
    return precision() ? precision()->max_queries : *parameters_.queries;
  }
  /// With a precision it depends on the rate, and a guess stands for it.
  std::uint64_t expected_absent_keys(std::uint64_t n) const override {
    constexpr std::uint64_t guess = 1'000'000;
    return precision() ? std::min(guess, precision()->max_queries) : absent_keys(n);
  }
  bool joins_trials() const override {
    return precision() && precision()->of == Precision::Object::ensemble;
  }
  /// Not where each filter stops by itself.
  bool may_be_sliced() const override { return !precision(); }

  /// With a precision `stopped_by` says why the questions ended: "precision", "hits",
  /// "max_queries", and of an ensemble also "spread" where filters differ so much that more queries
  /// cannot help.
  std::vector<Measurement> measure(Implementation& implementation,
                                   const KeySet& keys) const override;
  /// Until their mean rate is known as well as the precision says: all with the same number of
  /// queries.
  std::vector<Measurement> measure_together(
      const std::vector<std::unique_ptr<Implementation>>& implementations,
      const std::vector<std::unique_ptr<KeySet>>& keys) const override;
  /// The durations are those of the pass, so they are the same for every filter and their keys say
  /// `group_`.
  std::vector<Measurement> measure_slice(KSliced& slice, const KeySet& keys) const override;

 private:
  [[nodiscard]] const std::optional<Precision::Parameters>& precision() const {
    return parameters_.precision;
  }

  Parameters parameters_;
};

}  // namespace bloomlab::experiments
