// Whether a result file holds the trials that its config asks for: an observation that was lost or
// made up would otherwise change an estimate without a word.
#pragma once

#include <optional>
#include <string>

#include "record/result_file.hpp"
#include "record/shards.hpp"

namespace bloomlab::analysis {

/// Checks that every cell has each of the config's trials once, step by step, where the file says
/// that it is complete; with a `precision` in the config a cell may have stopped after any trial.
/// `where` names the file. Throws record::InputError for the first cell that is not so.
void check_trials(const record::ResultFile& file, const std::string& where);

/// Checks that every cell of the config's grid is there, or every one of the shard, where the file
/// says that it is complete (one that says nothing of it counts as complete); passes over files
/// whose config has no grid and over those with `provenance.peers`. Not for confirmations, which
/// hold the flagged cells alone. Throws record::InputError that names the first cell that lacks.
void check_cells(const record::ResultFile& file, const std::string& where,
                 const std::optional<record::ShardName>& shard = std::nullopt);

/// "holds 3 of 12 cells": where the file says that it is not complete; nothing where it is.
[[nodiscard]] std::optional<std::string> unfinished_part(const record::ResultFile& file,
                                                         const std::string& where);

}  // namespace bloomlab::analysis
