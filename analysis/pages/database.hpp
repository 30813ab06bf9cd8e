// The language of pages is SQL: an SQLite database that holds an experiment's numbers as
// tables, with the closed forms and the statistics as functions. Queries only read: they cannot
// reach the disk, other databases or settings, and they end after a time.
//
// Tables of SQL row by row: parameters of cells first, then what is computed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "record/input_error.hpp"
#include "record/json.hpp"
#include "record/sha256.hpp"

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

/// A database in memory, and what is more than `most_memory_bytes` of it in a temporary file
/// without a name, in the folder of SQLITE_TMPDIR or TMPDIR, else /var/tmp or /tmp: nothing is left
/// of it however the program ends.
class Database {
 public:
  /// @param seconds_together processor time that all its queries may take
  explicit Database(double seconds_together = most_seconds_together);

  /// A new table. Names may be any text; values keep their types. Throws std::logic_error where the
  /// name is taken, record::RunError where the temporary file has no room.
  void add_table(const std::string& name, const Relation& relation);
  /// More rows of a table. Columns that it has not, which stand behind those that it has, are null
  /// in the rows before.
  void add_rows(const std::string& name, const Relation& relation);

  /// The rows of one SELECT. Throws record::InputError `WHERE: fault` for what is no single query,
  /// for what it may not do, for a fault of a function, for more than `most_rows` rows or 64 MiB of
  /// texts, for a text of more than 256 KiB, for more than 1 GiB while it runs, and after
  /// `most_seconds`, or `most_seconds_together` of all queries. Characters that a page would not
  /// show are written out.
  [[nodiscard]] Relation query(std::string_view sql, const std::string& where);

  /// For functions that are added (analysis/pages/functions.hpp).
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }

  /// All tables as the bytes of a database file, for other tools.
  [[nodiscard]] std::string file_bytes() const;

  static constexpr std::int64_t most_memory_bytes = std::int64_t{64} << 20;
  static constexpr std::size_t most_rows = 100'000;
  static constexpr int most_seconds = 5;
  static constexpr int most_seconds_together = 60;

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  void run(const std::string& table, const std::string& sql);
  /// Throws where a step of making a table did not end as it should.
  void require(int code, int wanted, const std::string& table);

  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::size_t> columns_;  // how many each table has
  double seconds_together_;
  double seconds_left_;
};

/// For functions that compute for long: throws std::runtime_error after the time that the query of
/// this thread may take.
void require_query_time();

/// JSON as a value of SQL; what is neither number, text nor truth is written as JSON.
[[nodiscard]] Value sql_value(const record::Json& json);

/// The number, or null where it is NaN or infinite.
[[nodiscard]] inline Value number_or_null(double number) {
  return std::isfinite(number) ? Value(number) : Value(std::monostate{});
}

[[nodiscard]] inline std::int64_t signed_of(std::uint64_t count) {
  return static_cast<std::int64_t>(count);
}

[[nodiscard]] inline Value truth_of(bool yes) { return std::int64_t{yes ? 1 : 0}; }

/// Is given the rows of a table, so many at a time: each time all columns that are known by then.
using UseRows = std::function<void(const Relation&)>;

/// Rows whose columns are found as they come; a computed name that a parameter has gets "measured_"
/// in front.
class RowBuilder {
 public:
  /// Keeps the rows for take().
  RowBuilder() = default;
  /// Hands them on: a table of a million cells is never in memory as a whole.
  explicit RowBuilder(UseRows use) : use_(std::move(use)) {}
  /// Keeps the columns alone.
  [[nodiscard]] static RowBuilder of_columns() {
    RowBuilder rows;
    rows.wants_values_ = false;
    return rows;
  }
  /// Whether values are looked at, or only their columns: what takes long need not be computed
  /// then.
  [[nodiscard]] bool wants_values() const { return wants_values_; }

  void begin_row();

  void set(const std::string& column, Value value);

  /// For what is computed: parameters come first and keep their names.
  void set_computed(const std::string& column, Value value);
  void set_number(const std::string& column, double number) {
    set_computed(column, number_or_null(number));
  }
  /// NAME, NAME_low and NAME_high.
  void set_interval(const std::string& column, double value, double low, double high);

  /// The number of a cell and its parameters: {"filter": {"m": 8}} is the column filter_m.
  void set_cell(std::int64_t number, const record::Json& cell);

  /// Columns that are there even where no row has them.
  void add_columns(const std::vector<std::string>& columns);
  /// The rows that were not handed on.
  [[nodiscard]] Relation take() { return std::move(relation_); }
  /// Hands on what is left; a table without a row has its columns.
  void finish() { use_(relation_); }

 private:
  UseRows use_;
  bool wants_values_ = true;
  Relation relation_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, bool> parameters_;
};

/// The number of a cell, counted from 1 in the order of the grid.
class CellNumbers {
 public:
  std::int64_t operator()(const record::Json& cell);

 private:
  /// A digest's first bytes are as good as any hash of it.
  struct FirstBytes {
    std::size_t operator()(const record::Sha256& digest) const noexcept {
      std::size_t bytes = 0;
      std::memcpy(&bytes, digest.data(), sizeof bytes);
      return bytes;
    }
  };

  record::Json last_;
  std::int64_t number_ = 0;
  std::unordered_map<record::Sha256, std::int64_t, FirstBytes> numbers_;
};

}  // namespace bloomlab::analysis::pages
