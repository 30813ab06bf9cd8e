// A folder of results becomes experiments: files are read, complete sets of shards merged, and
// every stage up to the tests is run.
//
// Whether a result file can be believed: what was lost, altered or put in by hand would otherwise
// change an estimate without a word. It holds the trials and cells that its config asks for; every
// cell is a point of the config's grid, and its group and every seed follow from it; and what can
// be computed again from the counts is as the file says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "record/result_file.hpp"
#include "record/shards.hpp"

namespace bloomlab::analysis {

/// A config's results as they stand in the folder.
struct ResultSet {
  std::string stem;
  std::string file_name;  ///< where they stand, for captions and links
  record::ResultFile file;
  std::optional<record::ResultFile> confirmation;  ///< STEM.confirmation.json
  std::string path = {};                           ///< folder and file, where they were loaded

  /// What names the file in errors: the path, or the file name of what was not loaded.
  [[nodiscard]] const std::string& place() const { return path.empty() ? file_name : path; }
};

/// One result file, read and checked: its cells and trials are those that its config asks for,
/// what can be computed again is as it says, and its counts fit each other. A shard's and a
/// confirmation's share of the cells follow from the file's name. Throws record::InputError, one
/// line that names file and place.
[[nodiscard]] record::ResultFile read_checked(const std::filesystem::path& path);

/// What a folder holds, and what is wrong with the rest of it.
struct Loaded {
  std::vector<ResultSet> sets;      ///< the good results, by stem
  std::vector<std::string> faults;  ///< one line each: a bad file, an unfinished run
};

/// load(), except that a bad file is a fault and leaves the others be; so is the journal of a run
/// that was not finished, and a result that says itself that cells lack. Throws record::InputError
/// or RunError where no result is good, naming the first fault.
[[nodiscard]] Loaded load_good(const std::filesystem::path& folder);

/// Every result of the folder, by stem: STEM.json, or a complete set STEM.shard-I-of-N.json.
/// Sub-folders and other kinds of file are passed over.
/// Throws record::InputError where the folder or a file cannot be read, where it holds no result,
/// where observations do not come from the config beside them,
/// or where a whole file and shards of the same stem stand side by side and differ;
/// record::RunError where a set of shards is incomplete, naming what is missing.
[[nodiscard]] std::vector<ResultSet> load(const std::filesystem::path& folder);

/// Counts, closed forms, estimates and flags of one result set.
[[nodiscard]] Experiment analyse(ResultSet results);

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

/// "holds 3 of 12 cells": where the file says that it is not complete; nothing where it is. Throws
/// record::InputError where no cell lacks all the same.
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
