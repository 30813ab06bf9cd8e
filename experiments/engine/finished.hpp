// What is measured of a config: observations by cell and trial, from this run and earlier ones.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "experiments/config/config.hpp"
#include "record/packed_json.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Finished trials of cells. A trial is finished when all its observations are there. What they
/// hold beside their cell is kept packed: a config may have a million cells.
class Finished {
 public:
  /// @param observations_per_trial observations that make a trial complete
  explicit Finished(std::uint64_t observations_per_trial)
      : observations_per_trial_(observations_per_trial) {}

  /// Adds observations of any cells and trials, those of one trial together; a trial that is there
  /// already is replaced, an incomplete one is passed over.
  void add(std::vector<record::Observation> observations);

  /// Forgets all trials of the cell, or of all cells.
  void forget(const Cell& cell);
  void clear() { trials_.clear(); }

  [[nodiscard]] bool has(const Cell& cell, std::uint64_t trial) const;
  /// Whether every trial of the cell is there.
  [[nodiscard]] bool has_all(const Config& config, const Cell& cell) const;

  /// Number of observations of the cell's finished trials.
  [[nodiscard]] std::uint64_t observations_of(const Cell& cell) const;

  /// Calls `use` with the observations of each cell whose trials are all there, in the given order:
  /// by trial, then by step.
  void for_each_cell(const Config& config, const std::vector<const Cell*>& cells,
                     const record::UseRows& use) const;
  /// The observations of all of them.
  [[nodiscard]] std::vector<record::Observation> in_order(
      const Config& config, const std::vector<const Cell*>& cells) const;

 private:
  /// The first half of SHA-256 of a cell's text, and a trial.
  struct Place {
    std::uint64_t cell = 0;
    std::uint64_t more_of_cell = 0;
    std::uint64_t trial = 0;
    auto operator<=>(const Place&) const = default;
    [[nodiscard]] bool is_cell_of(const Place& other) const {
      return cell == other.cell && more_of_cell == other.more_of_cell;
    }
  };
  [[nodiscard]] static Place place_of(const std::string& cell_text, std::uint64_t trial);

  [[nodiscard]] std::string packed(const std::vector<record::Observation>& trial);
  void unpack(const std::string& trial, std::uint64_t number, const Cell& cell,
              std::vector<record::Observation>& observations) const;

  std::uint64_t observations_per_trial_;
  record::JsonPacker packer_;
  std::map<Place, std::string> trials_;
};

}  // namespace bloomlab::experiments
