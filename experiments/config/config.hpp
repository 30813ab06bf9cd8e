// A config in memory (reading.hpp makes it of a file).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "experiments/cells/experiment.hpp"
#include "record/expected_flag.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// The `$schema` that every config names.
inline constexpr std::string_view config_schema_name = "bloomlab-config-1";

/// Largest number of cells of one config.
inline constexpr std::uint64_t max_cells = 1'000'000;

/// A config whose every cell can be measured.
struct Config {
  std::filesystem::path path;                    ///< as it was given
  record::Json json;                             ///< as it was
  std::string kind;                              ///< name of the experiment kind
  std::shared_ptr<const Experiment> experiment;  ///< that kind, with its own keys; never null
  std::string title;
  std::string question;
  std::uint64_t seed = 0;
  std::uint64_t trials = 0;                ///< trials of every cell, >= 1
  std::vector<std::string> shared_across;  ///< JSON pointers into a cell
  std::vector<record::ExpectedFlag> expected_flags;
  std::vector<Cell> cells;  ///< in grid order; never empty
  /// The texts of the page that `page` names and of its translations, by file name.
  std::map<std::string, std::string> pages = {};

  /// File name without folder and extension: the name of its result file.
  [[nodiscard]] std::string stem() const { return path.stem().string(); }
  /// The folder that relative paths in the config start from.
  [[nodiscard]] std::filesystem::path directory() const { return path.parent_path(); }
  /// Whether all trials of a cell are measured as one, as they stop together.
  [[nodiscard]] bool joins_trials() const {
    const auto* const of_filters = experiment->of_filters();
    return of_filters != nullptr && of_filters->joins_trials();
  }
  /// Whether every trial is to be measured by a process of its own, one at a time.
  [[nodiscard]] bool by_process_runs() const {
    const auto* const own = experiment->of_own_grid();
    return own != nullptr && own->by_process_runs();
  }
};

}  // namespace bloomlab::experiments
