// How to run a config, and what that means: which cells, and into which file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cells/implementation.hpp"
#include "experiments/config/config.hpp"
#include "experiments/engine/process_run.hpp"
#include "experiments/engine/provenance.hpp"
#include "experiments/engine/units_under_way.hpp"

namespace bloomlab::experiments {

/// How to run.
struct RunOptions {
  std::filesystem::path out = "results";  ///< folder of the result file; made where it is missing
  unsigned jobs = 0;                      ///< threads; 0: as many as the machine has cores
  std::optional<Shard> shard = {};        ///< measure this share only, into a file of its own
  std::optional<std::string> only = {};   ///< measure cells whose text contains this only
  bool force = false;                     ///< measure also what is done; ignore shards
  bool pages_only = false;  ///< bring page, title, question into a result; no measuring
  /// Memory that all threads together may take, where that is less than the machine gives.
  std::optional<std::uint64_t> max_memory_bytes = {};
  /// How long a cell may take over all its trials [s], cells that share a pass together; empty: any
  /// time. One that takes longer is given up, and the others are measured.
  std::optional<double> timeout_seconds = {};
  /// Called when a unit starts, about ten times a second while it makes keys, and when it ends,
  /// from the threads that measure, one at a time.
  ProgressCall progress = {};
  /// Measures trials that are to be process runs as processes of their own, one at a time, whatever
  /// `jobs` is; empty: they are measured in this process, which says less of durations.
  ProcessRunner process_run = {};
  /// The calibration file whose tuning process runs use, where it is this machine's; empty: none.
  std::filesystem::path calibration = {};
  /// Makes what is measured, instead of the cells' own filters; for tests of the engine.
  ImplementationMaker make_implementation = {};
};

/// Refuses options that do not go together, and a folder that cannot be written; makes nothing.
/// Throws record::InputError.
void check_options(const Config& config, const RunOptions& options);

/// The result file of such a run. Throws record::InputError where it cannot be written there.
[[nodiscard]] std::filesystem::path result_of(const Config& config, const RunOptions& options);

/// The journal of the result that a run of the config with these options is to write.
[[nodiscard]] std::filesystem::path journal_of(const Config& config, const RunOptions& options);

/// The cells of the file: all of the config, or all of the shard.
[[nodiscard]] std::vector<const Cell*> cells_of_file(const Config& config,
                                                     const std::optional<Shard>& shard);

/// Those of them that this run is asked for. Throws record::InputError where there is none.
[[nodiscard]] std::vector<const Cell*> selected_cells(const Config& config,
                                                      const std::vector<const Cell*>& cells,
                                                      const std::optional<std::string>& only);

}  // namespace bloomlab::experiments
