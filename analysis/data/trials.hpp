// Whether a result file holds the trials that its config asks for: an observation that was lost or
// made up would otherwise change an estimate without a word.
#pragma once

#include <string>

#include "record/result_file.hpp"

namespace bloomlab::analysis {

/// Checks that every cell has each of the config's trials once, step by step, where the file says
/// that it is complete; with a `precision` in the config a cell may have stopped after any trial.
/// `where` names the file. Throws record::InputError for the first cell that is not so.
void check_trials(const record::ResultFile& file, const std::string& where);

}  // namespace bloomlab::analysis
