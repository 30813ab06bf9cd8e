// The second look after a flag: flagged cells are measured once more with other seeds and ten times
// the queries in all, so that a reader can distinguish chance from a defect. It stands here because
// it needs the judgement of the analysis and the engine of the experiments.
#pragma once

#include <optional>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "experiments/config.hpp"
#include "experiments/run.hpp"

namespace bloomlab::cli {

/// How many times the queries of the first run a confirmation asks, over all trials.
inline constexpr std::uint64_t confirmation_factor = 10;

/// A config called STEM.confirmation with the flagged cells only, another seed that follows from
/// the config's, and confirmation_factor times the queries: as so many times the trials where a
/// trial draws keys or seeds anew, else as so many times the queries of its one trial.
/// Precondition: some cell is flagged.
[[nodiscard]] experiments::Config confirmation_of(
    const experiments::Config& config, const std::vector<analysis::FlaggedCell>& flagged);

/// Confirms the flags of a complete result file, if there are any, into STEM.confirmation.json
/// beside it; where there are none, an old confirmation is removed. Nothing for an incomplete file.
/// @return what the confirmation run did, or nothing where none was needed
std::optional<experiments::RunOutcome> confirm(const experiments::Config& config,
                                               const experiments::RunOutcome& outcome,
                                               experiments::RunOptions options);

}  // namespace bloomlab::cli
