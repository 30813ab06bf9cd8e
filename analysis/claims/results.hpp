// The results that claims are held against: one experiment a file, read when a claim asks for it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis::claims {

/// A folder of results, experiments at hand, or none.
class Results {
 public:
  /// No results at all: every claim that needs some is "not measured".
  Results() = default;
  /// The files STEM.json of this folder.
  explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// These experiments, which must outlive it.
  explicit Results(std::span<const Experiment> experiments) : given_(experiments) {}

  /// The analysed results of a config, or null where the folder has none. Throws record::InputError
  /// for a broken file. Not for several threads at once.
  [[nodiscard]] const Experiment* find(const std::string& stem) const&;
  void find(const std::string& stem) const&& = delete;

 private:
  std::filesystem::path folder_;
  std::span<const Experiment> given_;
  mutable std::map<std::string, std::optional<Experiment>> read_;
};

/// A cell of an experiment (a step of it) with its numbers by name.
struct MeasuredCell {
  Json cell;
  std::optional<std::uint64_t> step;
  /// "trials"; every number of the cell by its last key (m, n, k, ...); every count of `measured`
  /// as the mean over trials, every duration of `timing` as the median over trials; and for filters
  /// "rate" with "rate_low" and "rate_high", "theory" (the exact rate), "fill".
  std::map<std::string, double> quantities;
};

/// The cells that contain `partial` (see record/partial_match.hpp), in grid order; a member "step"
/// of it names the step.
[[nodiscard]] std::vector<MeasuredCell> cells_like(const Experiment& experiment,
                                                   const Json& partial);

}  // namespace bloomlab::analysis::claims
