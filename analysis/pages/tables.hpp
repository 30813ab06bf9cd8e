// An experiment as tables of SQL (docs/pages.md lists their columns):
//   cells    one row a cell (and step): its parameters, counts over all trials, estimates with both
//            ends of their 95 % intervals, closed form, tests
//   trials   one row a trial: parameters, seed, everything that was counted
//   timings  one row a repetition: parameters, durations and what the machine was like
//   confirmation, confirmation_trials  the same of the second run of cells that were flagged
//   flags    one row a test that was flagged, and one that was expected to be and was not
//   config   path and value of every member of the config
//   provenance  the same of what the result says of machine, compiler and libraries
//   results  one row a result of the folder: stem, kind, title, cells, tests, flags
//   filters  the filters of the library
// and those that code derives from results of some kinds (derivations()).
// Of other results of the folder: "STEM.cells" and so on, made when a query names them.
//
// Tables of SQL that need code, each for the results that it reads: a page of any such result can
// use it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/content.hpp"
#include "analysis/data/measurement.hpp"
#include "analysis/pages/database.hpp"
#include "analysis/pages/functions.hpp"

namespace bloomlab::analysis::pages {

void add_cells(const Experiment& experiment, RowBuilder& rows);
/// Of the second run of flagged cells: cells with the numbers that they have in the first.
void add_confirmation(const Experiment& experiment, RowBuilder& rows);
void add_confirmation_trials(const Experiment& experiment, RowBuilder& rows);
/// Every flag, and every flag that was expected for certain and is not there.
void add_flags(const Experiment& experiment, RowBuilder& rows);
void add_trials(const Experiment& experiment, RowBuilder& rows);
void add_timings(const Experiment& experiment, RowBuilder& rows);
void add_config(const Experiment& experiment, RowBuilder& rows);
void add_provenance(const Experiment& experiment, RowBuilder& rows);
[[nodiscard]] Relation results_of(std::span<const Experiment> experiments);

/// How the rows of a table are made.
using MakeRows = void (*)(const Experiment& experiment, RowBuilder& rows);

/// A table, and how it is made.
struct NamedTable {
  std::string_view name;
  MakeRows make;
};

/// All rows of a table at once.
[[nodiscard]] Relation relation_of(MakeRows make, const Experiment& experiment);
/// The table's columns alone.
[[nodiscard]] std::vector<std::string> columns_of(MakeRows make, const Experiment& experiment);
/// The table as CSV, made anew each time it is asked for; nothing where it has no column. The
/// experiment must outlive what is returned. Throws what `make` throws.
[[nodiscard]] std::optional<GiveText> csv_of(MakeRows make, const Experiment& experiment);

/// Every table that a result has: the general ones, and those that its kind derives.
[[nodiscard]] std::vector<NamedTable> tables_for(const Experiment& experiment);

/// Throws record::InputError where something stands at the path that is no SQLite database: nothing
/// else is replaced by one.
void require_place_of_database(const std::filesystem::path& path);

/// All tables of all results, "STEM.cells" and so on, as an SQLite database for other tools. One
/// that is there is replaced. Throws as require_place_of_database() does, and record::RunError
/// where it cannot be written.
void save_tables(std::span<const Experiment> experiments, const std::filesystem::path& path);

/// The numbers of a folder as a page sees them: those of its own experiment, and of all others.
class Numbers {
 public:
  /// Both must outlive it. `others` may hold `own`. `all_sql` is everything that will be asked:
  /// parameters in it (filter_..., hash_..., keys_...) that no cell has are columns of nulls, so
  /// that a page serves smaller grids. One that is a letter off a column is an error of its query.
  Numbers(const Experiment& own, std::span<const Experiment> others, std::string_view all_sql);

  /// The same without an experiment of its own: every table is named with its stem.
  Numbers(std::vector<const Experiment*> named, std::string_view all_sql);

  /// Queries can say translated(text) from now on; `words` must outlive them.
  void speak(const Words& words) { add_translation(database_, words); }

  /// As Database::query. Tables are made when a query names them first.
  [[nodiscard]] Relation query(std::string_view sql, const std::string& where);

  /// The rows of a query as a table of later ones. Throws record::InputError `WHERE: fault` where
  /// the name is taken.
  void add_result(const std::string& name, const Relation& rows, const std::string& where);

 private:
  void add_named_tables(std::string_view sql, const Experiment& experiment,
                        const std::string& prefix);
  void add(const std::string& name, MakeRows make, const Experiment& experiment);

  Database database_;
  const Experiment* own_ = nullptr;
  std::span<const Experiment> others_;
  std::vector<const Experiment*> named_;
  std::set<std::string> parameters_;
  std::map<std::string, std::string> misspelt_;  ///< and what is meant
  std::set<std::string> added_;
};

/// A derived table, its columns in docs/pages.md.
struct Derivation {
  std::string_view table;
  bool (*fits)(const Experiment& experiment);
  /// Only where it fits. Throws record::InputError for a result that lacks what its kind counts.
  MakeRows make;
};

[[nodiscard]] std::span<const Derivation> derivations();

/// One row a cell of a kind of speed: times per key, their ratios to the row "limit", the FPR.
void add_speeds(const Experiment& experiment, RowBuilder& rows);

/// One row a test of a seeded defect, in the order of the matrix.
void add_mutants(const Experiment& experiment, RowBuilder& rows);

/// One row a cell and closed form of its FPR, the simplest first: how the measurement judges it.
void add_rungs(const Experiment& experiment, RowBuilder& rows);

}  // namespace bloomlab::analysis::pages
