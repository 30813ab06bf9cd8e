// Tables of SQL in a database, in a file and as CSV.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "analysis/pages/database.hpp"
#include "analysis/pages/functions.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/tables/table.hpp"
#include "core/catalogue.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::pages {
namespace {

/// The names of the filters that this library builds.
Relation filters_table() {
  Relation relation{.columns = {"filter"}, .rows = {}};
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    relation.rows.push_back({std::string(Filter::name)});
  });
  return relation;
}

/// The parameters of all filters of the library, as columns.
const std::set<std::string>& filter_parameters() {
  static const std::set<std::string> names = [] {
    std::set<std::string> found = {"filter_kind"};
    const auto note = [&](const auto& field, const auto&) {
      found.insert("filter_" + std::string(field.name));
    };
    for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
      typename Filter::Parameters parameters{};
      Filter::describe(note, parameters);
    });
    return found;
  }();
  return names;
}

/// The column that `parameter`, which no cell has, is a misspelling of: one letter off, or two in a
/// long name; none for names of one or two letters, and where a filter of the library has it. A
/// page serves smaller grids, too.
std::optional<std::string> meant_by(const std::string& parameter,
                                    const std::vector<std::string>& columns) {
  if (filter_parameters().contains(parameter)) return std::nullopt;
  const std::string group = parameter.substr(0, parameter.find('_') + 1);
  for (const std::string& column : columns) {
    const std::size_t letters = std::min(column.size(), parameter.size()) - group.size();
    const std::size_t most = letters < 7 ? 1 : 2;
    if (letters > 2 && column.starts_with(group) &&
        record::edit_distance(parameter, column) <= most) {
      return column;
    }
  }
  return std::nullopt;
}

/// Names of parameters in a text of SQL, but for those that it makes itself (`as filter_bytes`).
std::set<std::string> parameters_in(std::string_view sql) {
  static constexpr std::array<std::string_view, 3> groups = {"filter_", "hash_", "keys_"};
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::set<std::string> names, made;
  for (std::size_t i = 0; i < sql.size();) {
    std::size_t end = i;
    while (end < sql.size() && is_part(sql[end])) ++end;
    const std::string_view word = sql.substr(i, end - i);
    for (const std::string_view group : groups) {
      if (!word.starts_with(group) || word.size() == group.size()) continue;
      if (sql.substr(0, i).ends_with("as ")) made.emplace(word);
      names.emplace(word);
    }
    i = std::max(end, i + 1);
  }
  for (const std::string& name : made) names.erase(name);
  return names;
}

/// Nothing where the table has no column. @return its columns
std::vector<std::string> add_table(const std::string& name, MakeRows make,
                                   const Experiment& experiment, Database& database) {
  std::vector<std::string> columns;
  RowBuilder rows([&](const Relation& part) {
    if (part.columns.empty()) return;
    if (columns.empty())
      database.add_table(name, part);
    else
      database.add_rows(name, part);
    columns = part.columns;
  });
  make(experiment, rows);
  rows.finish();
  return columns;
}

}  // namespace

Relation relation_of(MakeRows make, const Experiment& experiment) {
  RowBuilder rows;
  make(experiment, rows);
  return rows.take();
}

std::vector<std::string> columns_of(MakeRows make, const Experiment& experiment) {
  RowBuilder rows = RowBuilder::of_columns();
  make(experiment, rows);
  return rows.take().columns;
}

std::optional<GiveText> csv_of(MakeRows make, const Experiment& experiment) {
  // A later row may bring a column, and the first line names them all.
  std::vector<std::string> columns = columns_of(make, experiment);
  if (columns.empty()) return std::nullopt;
  return [make, &experiment, columns = std::move(columns)](const auto& use) {
    use(csv_line(columns));
    RowBuilder rows([&](const Relation& part) { use(csv_lines(part.rows, columns.size())); });
    make(experiment, rows);
    rows.finish();
  };
}

Numbers::Numbers(const Experiment& own, std::span<const Experiment> others,
                 std::string_view all_sql)
    : own_(&own), others_(others), parameters_(parameters_in(all_sql)) {
  for (const Experiment& other : others) named_.push_back(&other);
  add_functions(database_);
}

Numbers::Numbers(std::vector<const Experiment*> named, std::string_view all_sql)
    : named_(std::move(named)), parameters_(parameters_in(all_sql)) {
  add_functions(database_);
}

void Numbers::add_result(const std::string& name, const Relation& rows, const std::string& where) {
  if (!added_.insert(name).second) {
    throw record::InputError(where + ": a table \"" + name +
                             "\" is there already; rename the block");
  }
  if (!rows.columns.empty()) database_.add_table(name, rows);
}

Relation Numbers::query(std::string_view sql, const std::string& where) {
  if (own_ != nullptr) add_named_tables(sql, *own_, "");
  for (const Experiment* other : named_) add_named_tables(sql, *other, other->stem + ".");
  for (const std::string& parameter : parameters_in(sql)) {
    const auto found = misspelt_.find(parameter);
    if (found == misspelt_.end()) continue;
    throw record::InputError(where + ": no cell has the parameter \"" + parameter +
                             "\"; did you mean \"" + found->second + "\"?");
  }
  return database_.query(sql, where);
}

void require_place_of_database(const std::filesystem::path& path) {
  constexpr std::string_view magic{"SQLite format 3\0", 16};
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (!path.empty() && !std::filesystem::exists(status)) return;
  std::string first(magic.size(), ' ');
  if (std::filesystem::is_regular_file(status)) {  // a pipe would keep us waiting
    std::ifstream(path, std::ios::binary)
        .read(first.data(), static_cast<std::streamsize>(first.size()));
  }
  if (first == magic) return;
  throw record::InputError("\"" + path.string() +
                           "\": is no SQLite database, and only one is replaced; name a new file, "
                           "or one that a report wrote");
}

void save_tables(std::span<const Experiment> experiments, const std::filesystem::path& path) {
  require_place_of_database(path);
  Database database;
  database.add_table("results", results_of(experiments));
  for (const Experiment& experiment : experiments) {
    for (const NamedTable& table : tables_for(experiment)) {
      add_table(experiment.stem + "." + std::string(table.name), table.make, experiment, database);
    }
  }
  record::write_atomically(path, database.file_bytes());
}

void Numbers::add_named_tables(std::string_view sql, const Experiment& experiment,
                               const std::string& prefix) {
  const auto is_new = [&](const std::string& name) {
    return sql.find(name) != std::string_view::npos && added_.insert(name).second;
  };
  for (const NamedTable& table : tables_for(experiment)) {
    const std::string name = prefix + std::string(table.name);
    if (is_new(name)) add(name, table.make, experiment);
  }
  if (prefix.empty() && is_new("results")) database_.add_table("results", results_of(others_));
  if (prefix.empty() && is_new("filters")) database_.add_table("filters", filters_table());
}

void Numbers::add(const std::string& name, MakeRows make, const Experiment& experiment) {
  Relation more{.columns = add_table(name, make, experiment, database_), .rows = {}};
  if (more.columns.empty()) {
    more.columns = {"cell"};
    database_.add_table(name, more);
  }
  if (more.columns.front() != "cell") return;
  for (const std::string& parameter : parameters_) {
    auto& columns = more.columns;
    if (std::find(columns.begin(), columns.end(), parameter) != columns.end()) continue;
    const bool own = name.find('.') == std::string::npos;
    if (const auto meant = own ? meant_by(parameter, columns) : std::nullopt) {
      misspelt_.emplace(parameter, *meant);
    }
    columns.push_back(parameter);
  }
  database_.add_rows(name, more);
}

}  // namespace bloomlab::analysis::pages
