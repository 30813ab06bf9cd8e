// Whether a result file can be believed: what was lost, altered or put in by hand would otherwise
// change an estimate without a word. It holds the trials and cells that its config asks for; every
// cell is a point of the config's grid, and its group and every seed follow from it; and what can
// be computed again from the counts is as the file says.
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

/// Checks each observation's cell, group and seed against the config in the file; passes over what
/// the config does not say (a file whose config has no grid or no seed), and over files with
/// `provenance.peers`, which other programs write with seeds of their own (docs/bench.md).
/// The digest of the config is compared too, where the run wrote one and no key file is part of it.
/// `where` names the file. Throws record::InputError for the first observation that is not so.
void check_origin(const record::ResultFile& file, const std::string& where);

/// Checks every observation of the file, as far as the config and the cell say what must be:
/// - `measured`: numbers from 0, alone or in lists, but for the members that are texts or a filter;
/// - `timing`: whole numbers from 0 to 10^18 (31 years in nanoseconds), alone or in lists;
/// - absent keys looked up: `queries` of the config, for the kinds false_positive_rate and growth;
/// - `bits`: the cell's m, and `conditional_rate`: (bits_set / bits)^k, for filters that are one
///   array of m bits or counters (standard, compressed, counting, spectral);
/// - `layer_bits` and `layer_bits_set`: as many as `layers`, with the sums `bits` and `bits_set`.
/// Of files with `provenance.peers` only the first is checked. `where` names the file.
/// Throws record::InputError that names the first place that does not hold.
void check_recomputed(const record::ResultFile& file, const std::string& where);

}  // namespace bloomlab::analysis
