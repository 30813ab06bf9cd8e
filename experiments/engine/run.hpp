// Runs a config: measures its cells and writes its result file; continues what was interrupted and
// leaves alone what is done.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/config.hpp"
#include "experiments/engine/run_options.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {

/// Cells took longer than RunOptions::timeout_seconds. What the others gave is in the journal, and
/// no result file was written.
class CellsTimedOut : public record::RunError {
 public:
  using record::RunError::RunError;
};

/// A cell of which trials have no result, as its filter, one from outside, failed or could not be
/// given its turn.
struct LackingCell {
  std::string label;         ///< what distinguishes it: "bits_per_key = 10, fpr = 0.01"
  std::uint64_t trials = 0;  ///< that have none
  std::string reason;        ///< of the first of them
  /// It is this system that failed, twice: nothing of the cell is in the result.
  bool of_system = false;
};

/// What a run did.
struct RunOutcome {
  enum class Status {
    measured,    ///< something was measured and written
    up_to_date,  ///< all was there: nothing was measured, nothing but a page written
    merged,      ///< the result was put together from its shards
  };
  Status status = Status::measured;
  std::filesystem::path path;           ///< the result file
  std::uint64_t cells = 0;              ///< cells selected
  std::uint64_t units_measured = 0;     ///< trials of groups measured by this run
  std::uint64_t observations_kept = 0;  ///< selected observations that earlier runs had made
  std::vector<std::string> notices;     ///< what the user should know, a line each
  std::vector<LackingCell> lacking;     ///< selected cells that lack results

  /// One line for the user: "results/a.json: up to date", ...
  [[nodiscard]] std::string message() const;
};

/// Runs a config. What is measured is the same for any jobs, shards, order and interruption; only
/// `timing` and `provenance` differ. The result file is replaced at once, when all is measured;
/// until then finished units are in OUT/.partial (Journal). Memory: every thread holds one cell's
/// filter (or one k-sliced array) and its keys; there are fewer threads than asked for where that
/// would be more than the machine has. Throws record::InputError (a selection that fits no cell,
/// options that do not go together, a result of another config under this
/// name without --force, a place that cannot be written), CellsTimedOut, and record::RunError (a
/// filter that denies an inserted key, an incomplete set of shards, a folder that cannot be
/// written,
/// --only over a complete file of another config, build or machine).
[[nodiscard]] RunOutcome run(const Config& config, const RunOptions& options);

}  // namespace bloomlab::experiments
