// What every section shows: the question, how much was measured, what the tests say, all cells.
#pragma once

#include "analysis/content.hpp"
#include "analysis/text/links.hpp"

namespace bloomlab::analysis {

/// Texts title, question, size, fixed, members, tests; table cells.
[[nodiscard]] Content common_content(const Experiment& experiment, const Words& words,
                                     const Links& links);

/// What was counted, cell by cell: of kinds that measure no filter.
[[nodiscard]] Table counts_table(const Experiment& experiment, const Words& words);

/// The times of a result, as tables: per key of kinds of speed, else the medians of each cell;
/// empty where nothing was timed.
[[nodiscard]] std::string times_text(const Experiment& experiment, const Words& words);

/// A run of speeds as tables, one a regime, and in a sentence each what its rates say, and how
/// quiet the machine was; both begin with a word in bold where the run has failed by them.
[[nodiscard]] std::string speeds_text(const Experiment& experiment);

/// Inserted keys that were answered "absent" though the filter had taken them, over all trials: any
/// is a fault of the filter.
[[nodiscard]] std::uint64_t false_negatives(const Experiment& experiment);

/// "[fpr_vs_m.json](results/fpr_vs_m.json)".
[[nodiscard]] std::string results_link(const Experiment& experiment, const Links& links);

}  // namespace bloomlab::analysis
