// The language of pages is SQL: an SQLite database in memory that holds an experiment's numbers as
// tables, with the closed forms and the statistics as functions. Queries only read: they cannot
// reach the disk, other databases or settings, and they end after a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "record/input_error.hpp"

struct sqlite3;

namespace bloomlab::analysis::pages {

/// A value of SQL: null, an integer, a real number, or text.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// The number that a value is, or NaN.
[[nodiscard]] double number_of(const Value& value);

/// A table of values: every row has as many as there are columns.
struct Relation {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;

  /// The position of a column. Throws record::InputError `WHERE: no column "x"; there are ...`.
  [[nodiscard]] std::size_t index_of(std::string_view column, const std::string& where) const;
};

/// A database in memory.
class Database {
 public:
  Database();

  /// A new table. Names may be any text; values keep their types. Throws std::logic_error where the
  /// name is taken.
  void add_table(const std::string& name, const Relation& relation);

  /// The rows of one SELECT. Throws record::InputError `WHERE: fault` for what is no single query,
  /// for what it may not do, for a fault of a function, for more than `most_rows` rows, and after
  /// `most_seconds`.
  [[nodiscard]] Relation query(std::string_view sql, const std::string& where);

  /// For functions that are added (analysis/pages/functions.hpp).
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }

  /// All tables as a database file for other tools. Throws record::RunError where it cannot be
  /// written.
  void save(const std::string& path) const;

  static constexpr std::size_t most_rows = 100'000;
  static constexpr int most_seconds = 5;

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace bloomlab::analysis::pages
