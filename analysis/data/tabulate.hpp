// From observations to measurements: trials of one cell (of one step) come together, and every
// count is read once, strictly.
#pragma once

#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// The measurements of a result file, in grid order, then step. `where` names the file in errors.
/// Throws record::InputError where a count is missing, is no count, or does not fit the others:
/// observations of one cell that are not adjacent, a trial twice, trials that inserted or asked
/// different numbers of keys, inserted keys reported and denied that are not those inserted, no
/// absent key asked, a rate outside [0, 1].
[[nodiscard]] std::vector<Measurement> tabulate(const record::ResultFile& file,
                                                const std::string& where);

}  // namespace bloomlab::analysis
