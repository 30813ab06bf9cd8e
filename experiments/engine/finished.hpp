// What is measured of a config: observations by cell and trial, from this run and earlier ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "experiments/config/config.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Finished trials of cells. A trial is finished when all its observations are there.
class Finished {
 public:
  /// @param observations_per_trial observations that make a trial complete
  explicit Finished(std::uint64_t observations_per_trial)
      : observations_per_trial_(observations_per_trial) {}

  /// Adds observations of any cells and trials, those of one trial together; a trial that is there
  /// already is replaced, an incomplete one is passed over.
  void add(std::vector<record::Observation> observations);

  /// Forgets all trials of the cell.
  void forget(const Cell& cell);

  [[nodiscard]] bool has(const Cell& cell, std::uint64_t trial) const;
  /// Whether every trial of the cell is there.
  [[nodiscard]] bool has_all(const Config& config, const Cell& cell) const;

  /// Number of observations of the cell's finished trials.
  [[nodiscard]] std::uint64_t observations_of(const Cell& cell) const;

  /// The observations of the cells whose trials are all there: by cell in the given order, then by
  /// trial, then by step.
  [[nodiscard]] std::vector<record::Observation> in_order(
      const Config& config, const std::vector<const Cell*>& cells) const;
  /// The same, which are then no longer here: no second copy of them.
  [[nodiscard]] std::vector<record::Observation> take_in_order(
      const Config& config, const std::vector<const Cell*>& cells);

 private:
  using Key = std::pair<std::string, std::uint64_t>;  // cell text, trial
  template <class Self, class Use>
  static void each_in_order(Self& self, const Config& config, const std::vector<const Cell*>& cells,
                            const Use& use);

  std::uint64_t observations_per_trial_;
  std::map<Key, std::vector<record::Observation>> trials_;
};

}  // namespace bloomlab::experiments
