// The tables that every section has: all cells, the flags, and the raw counts as long CSV.
#pragma once

#include <string>

#include "analysis/data/measurement.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// Every measurement with its estimate, closed form and tests. In Markdown what a reader compares,
/// in CSV everything, raw counts included.
[[nodiscard]] Table cells_table(const Experiment& experiment, const Words& words);

/// Flags, expected flags that were not seen, and beside each what the confirmation run gave.
[[nodiscard]] Table flags_table(const Experiment& experiment, const Words& words);

/// For kinds that measure no filter: every point of the grid (and step) with its counts, summed
/// over trials; texts as the first trial has them. Named "counts".
[[nodiscard]] Table counts_table(const Experiment& experiment, const Words& words);

/// One line an observation: every place of the cell, group, trial, step, seed, every count and
/// duration. Long format, units in the header; needs no language.
[[nodiscard]] Table observations_table(const Experiment& experiment);

}  // namespace bloomlab::analysis
