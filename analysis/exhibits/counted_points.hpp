// The points of an experiment whose grid has fields of its own, with what their trials counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/content.hpp"
#include "statistics/ensemble.hpp"

namespace bloomlab::analysis {

/// One point of the grid, and the observations of its trials.
class CountedPoint {
 public:
  CountedPoint(const record::Observation& first, std::string where)
      : where_(std::move(where)), cell_(first.cell) {}

  void add(const record::Observation& trial) { trials_.push_back(&trial); }

  [[nodiscard]] const Json& cell() const noexcept { return cell_; }
  [[nodiscard]] std::size_t trials() const noexcept { return trials_.size(); }
  /// A field of the point that is a whole number, or a word. Throws record::InputError where there
  /// is no such field.
  [[nodiscard]] std::uint64_t number(const char* field) const;
  [[nodiscard]] std::string word(const char* field) const;
  /// What a trial counted under `key`. Throws record::InputError where it counted no such thing.
  [[nodiscard]] std::uint64_t count(std::size_t trial, const char* key) const;
  /// The same, summed over the trials.
  [[nodiscard]] std::uint64_t count(const char* key) const;
  /// A duration of every trial [ns].
  [[nodiscard]] std::vector<double> durations(const char* key) const;
  /// Count over count, trial by trial.
  [[nodiscard]] std::vector<double> ratios(const char* count, const char* per) const;
  /// Their mean over trials with Student's interval at thresholds::interval_level; for a single
  /// trial that ratio, and an interval that is unknown.
  [[nodiscard]] statistics::Estimate mean_ratio(const char* count, const char* per) const;

 private:
  std::string where_;
  Json cell_;
  std::vector<const record::Observation*> trials_;
};

/// The points of an experiment of this kind, in grid order. Throws record::InputError for results
/// of another kind.
[[nodiscard]] std::vector<CountedPoint> counted_points(const Experiment& experiment,
                                                       std::string_view kind);

/// "value [low, high]"; the value alone where the interval is unknown or has no width.
[[nodiscard]] Entry estimate_entry(const statistics::Estimate& estimate);

}  // namespace bloomlab::analysis
