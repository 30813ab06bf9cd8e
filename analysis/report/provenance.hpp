// Where the numbers come from: machine, commit, compiler, libraries, and the thresholds in force.
#pragma once

#include <vector>

#include "analysis/content.hpp"

namespace bloomlab::analysis {

/// Facts that all result files share.
[[nodiscard]] Table provenance_table(const std::vector<Experiment>& experiments,
                                     const Words& words);

/// Facts that differ between result files, one row a file.
[[nodiscard]] Table provenance_files_table(const std::vector<Experiment>& experiments,
                                           const Words& words);

/// Every threshold of the analysis with its value and meaning.
[[nodiscard]] Table thresholds_table(const Words& words);

}  // namespace bloomlab::analysis
