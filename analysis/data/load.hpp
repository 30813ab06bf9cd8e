// A folder of results becomes experiments: files are read, complete sets of shards merged, and
// every stage up to the tests is run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

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

/// One result file, read and checked: its cells and trials are those that its config asks for, and
/// what can be computed again is as it says (data/checks.hpp). A shard's and a confirmation's share
/// of the cells follow from the file's name. Throws record::InputError, one line that names file
/// and place.
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
/// where observations do not come from the config beside them (data/checks.hpp),
/// or where a whole file and shards of the same stem stand side by side and differ;
/// record::RunError where a set of shards is incomplete, naming what is missing.
[[nodiscard]] std::vector<ResultSet> load(const std::filesystem::path& folder);

/// Counts, closed forms, estimates and flags of one result set.
[[nodiscard]] Experiment analyse(ResultSet results);

}  // namespace bloomlab::analysis
