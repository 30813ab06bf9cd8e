#include "analysis/pages/database.hpp"

#include <sqlite3.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>

#include "analysis/data/measurement.hpp"
#include "record/number_text.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::analysis::pages {

namespace {

using record::InputError;

/// Processor time of this thread [s]: a busy machine does not end a query.
double seconds_used() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

constexpr int steps_between_looks = 1000;
/// Longest text [bytes]: bounds what printf() makes, and what instr() and replace() take, whose
/// time grows with its square.
constexpr int longest_text = 256 * 1024;
constexpr int longest_pattern = 1000;                             // bytes; of LIKE and GLOB
constexpr std::size_t most_answer_bytes = 64UL << 20;             // of all texts of an answer
constexpr std::int64_t most_query_bytes = std::int64_t{1} << 30;  // that a query may add

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char character : name) {
    if (character == '"') text += '"';
    text += character;
  }
  return text + "\"";
}

/// Queries may read tables and call functions; nothing else.
int only_reading(void* /*unused*/, int action, const char* /*first*/, const char* second,
                 const char* /*database*/, const char* /*trigger*/) {
  if (action == SQLITE_FUNCTION && second != nullptr &&
      std::string_view(second) == "load_extension") {
    return SQLITE_DENY;
  }
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ ||
                     action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

/// When the query of this thread must have ended, by seconds_used().
thread_local double end_of_query = std::numeric_limits<double>::infinity();

std::string takes_too_long() {
  return "the query takes more than " + std::to_string(Database::most_seconds) +
         " seconds and was stopped; ask for fewer rows";
}

/// Ends a query that takes too long or too much memory, and lets no query but a reading one begin.
class Guard {
 public:
  /// @param left seconds that all queries of this database may still take; gets less
  Guard(sqlite3* handle, double& left) : handle_(handle), left_(left), begin_(seconds_used()) {
    end_of_query = begin_ + std::min<double>(Database::most_seconds, left);
    // The limit is the process's: a query beside this one may use up what this one adds.
    ++running;
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + most_query_bytes);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, longest_text);
    sqlite3_set_authorizer(handle_, only_reading, nullptr);
    sqlite3_progress_handler(
        handle_, steps_between_looks,
        [](void* /*unused*/) { return seconds_used() > end_of_query ? 1 : 0; }, nullptr);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
    sqlite3_set_authorizer(handle_, nullptr, nullptr);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, std::numeric_limits<int>::max());
    if (--running == 0) sqlite3_hard_heap_limit64(0);
    left_ -= seconds_used() - begin_;
    end_of_query = std::numeric_limits<double>::infinity();
  }

 private:
  static inline std::atomic<int> running = 0;

  sqlite3* handle_;
  double& left_;
  double begin_;
};

[[noreturn]] void fail_temporary_file(sqlite3* handle, const std::string& where) {
  throw record::RunError(where + ": the temporary file of its tables cannot be used (" +
                         sqlite3_errmsg(handle) +
                         "); make room, or name another folder by the variable TMPDIR");
}

bool is_of_file(int code) {
  return code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
}

[[noreturn]] void fail(sqlite3* handle, int code, const std::string& where) {
  if (is_of_file(code)) fail_temporary_file(handle, where);
  switch (code) {
    case SQLITE_AUTH:
      throw InputError(where + ": only a query that reads this folder's results is allowed here; " +
                       "write a SELECT");
    case SQLITE_INTERRUPT:
      throw InputError(where + ": " + takes_too_long());
    case SQLITE_NOMEM:
      throw InputError(where + ": the query takes more than " +
                       std::to_string(most_query_bytes >> 20U) +
                       " MiB and was stopped; ask for fewer rows, or shorter ones");
    case SQLITE_TOOBIG:
      throw InputError(where + ": a text of more than " + std::to_string(longest_text) +
                       " bytes; make it shorter");
    default:
      throw InputError(where + ": " + sqlite3_errmsg(handle));
  }
}

void bind(sqlite3_stmt* statement, int place, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, place, *integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement, place, *number);  // NaN becomes null
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
  } else {
    sqlite3_bind_null(statement, place);
  }
}

Value value_at(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_NULL:
      return std::monostate{};
    default: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return text == nullptr ? std::string() : record::made_visible({text, size});
    }
  }
}

Statement prepared(sqlite3* handle, std::string_view sql, const std::string& where) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int code =
      sqlite3_prepare_v2(handle, sql.data(), static_cast<int>(sql.size()), &raw, &rest);
  Statement statement(raw);
  if (code != SQLITE_OK) fail(handle, code, where);
  if (!statement) throw InputError(where + ": there is no query here; write a SELECT");
  const std::string_view behind(rest, static_cast<std::size_t>(sql.data() + sql.size() - rest));
  sqlite3_stmt* second = nullptr;
  sqlite3_prepare_v2(handle, behind.data(), static_cast<int>(behind.size()), &second, nullptr);
  const bool more = Statement(second) != nullptr;
  if (more) throw InputError(where + ": two queries in one block; give each a block of its own");
  return statement;
}

/// The members of a cell with the path as a name.
void flatten(const Json& json, const std::string& name,
             std::vector<std::pair<std::string, Value>>& flat) {
  if (!json.is_object()) {
    flat.emplace_back(name, sql_value(as_one_value(json)));
    return;
  }
  for (const auto& [key, member] : json.items()) {
    flatten(member, name.empty() ? key : name + "_" + key, flat);
  }
}

}  // namespace

double number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::numeric_limits<double>::quiet_NaN();
}

std::size_t Relation::index_of(std::string_view column, const std::string& where) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::string known;
  for (const std::string& name : columns) known += (known.empty() ? "\"" : ", \"") + name + "\"";
  throw InputError(where + ": no column \"" + std::string(column) + "\"; the query has " + known);
}

void Database::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close(handle); }

Database::Database(double seconds_together)
    : seconds_together_(seconds_together), seconds_left_(seconds_together) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open("", &raw);
  handle_.reset(raw);
  if (code != SQLITE_OK) throw std::bad_alloc();
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(raw, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, longest_pattern);
  const std::string cache = "pragma cache_size = -" + std::to_string(most_memory_bytes / 1024) +
                            "; pragma journal_mode = off";
  sqlite3_exec(raw, cache.c_str(), nullptr, nullptr, nullptr);
  // What a query sorts stays in memory, where it is counted.
  sqlite3_exec(raw, "pragma temp_store = memory", nullptr, nullptr, nullptr);
  // A misspelt "column" is a fault, not the text of its name.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  // Their first use makes tables of their own, which no query may.
  sqlite3_exec(raw, "select 1 from json_each('[]'), json_tree('[]')", nullptr, nullptr, nullptr);
}

void Database::run(const std::string& table, const std::string& sql) {
  require(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK, table);
}

void Database::require(int code, int wanted, const std::string& table) {
  if (code == wanted) return;
  const std::string where = "table " + table;
  if (is_of_file(code)) fail_temporary_file(handle_.get(), where);
  throw std::logic_error(where + ": " + sqlite3_errmsg(handle_.get()));
}

void Database::add_table(const std::string& name, const Relation& relation) {
  std::string columns;
  for (const std::string& column : relation.columns) {
    columns += (columns.empty() ? "" : ", ") + quoted(column);
  }
  run(name, "create table " + quoted(name) + " (" + columns + ")");
  columns_[name] = relation.columns.size();
  add_rows(name, relation);
}

void Database::add_rows(const std::string& name, const Relation& relation) {
  for (std::size_t& known = columns_.at(name); known < relation.columns.size(); ++known) {
    run(name, "alter table " + quoted(name) + " add column " + quoted(relation.columns[known]));
  }
  if (relation.rows.empty()) return;
  std::string places = "?";
  for (std::size_t i = 1; i < relation.columns.size(); ++i) places += ", ?";
  const std::string insert = "insert into " + quoted(name) + " values (" + places + ")";
  run(name, "begin");
  sqlite3_stmt* raw = nullptr;
  require(sqlite3_prepare_v2(handle_.get(), insert.c_str(), -1, &raw, nullptr), SQLITE_OK, name);
  const Statement statement(raw);
  for (const auto& row : relation.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) bind(raw, static_cast<int>(i) + 1, row[i]);
    require(sqlite3_step(raw), SQLITE_DONE, name);
    sqlite3_reset(raw);
  }
  run(name, "commit");
}

Relation Database::query(std::string_view sql, const std::string& where) {
  if (seconds_left_ <= 0) {
    throw InputError(where + ": the queries before this one took more than " +
                     exact_text(seconds_together_) + " seconds; ask for fewer rows");
  }
  const Guard guard(handle_.get(), seconds_left_);
  const Statement statement = prepared(handle_.get(), sql, where);
  Relation relation;
  const int columns = sqlite3_column_count(statement.get());
  for (int i = 0; i < columns; ++i) {
    relation.columns.emplace_back(sqlite3_column_name(statement.get(), i));
  }
  int code = SQLITE_ROW;
  std::size_t bytes = 0;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    if (relation.rows.size() == most_rows) {
      throw InputError(where + ": more than " + std::to_string(most_rows) +
                       " rows; group or limit them");
    }
    auto& row = relation.rows.emplace_back();
    for (int i = 0; i < columns; ++i) {
      row.push_back(value_at(statement.get(), i));
      if (const auto* text = std::get_if<std::string>(&row.back())) bytes += text->size();
    }
    if (bytes > most_answer_bytes) {
      throw InputError(where + ": an answer of more than " +
                       std::to_string(most_answer_bytes >> 20U) +
                       " MiB; ask for fewer rows, or shorter ones");
    }
  }
  if (code != SQLITE_DONE) fail(handle_.get(), code, where);
  return relation;
}

std::string Database::file_bytes() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(handle_.get(), "main", &size, 0), sqlite3_free);
  if (!bytes) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

using record::Json;

Value sql_value(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return std::int64_t{json.get<bool>() ? 1 : 0};
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > (std::uint64_t{1} << 62U)) {
    return json.dump();  // seeds: no integer of SQL holds them
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void RowBuilder::set(const std::string& column, Value value) {
  const auto [place, is_new] = places_.try_emplace(column, relation_.columns.size());
  if (is_new) {
    relation_.columns.push_back(column);
    for (auto& row : relation_.rows) row.resize(relation_.columns.size());
  }
  relation_.rows.back()[place->second] = std::move(value);
}

void RowBuilder::set_computed(const std::string& column, Value value) {
  set(parameters_.contains(column) ? "measured_" + column : column, std::move(value));
}

void RowBuilder::set_interval(const std::string& column, double value, double low, double high) {
  set_number(column, value);
  set_number(column + "_low", low);
  set_number(column + "_high", high);
}

void RowBuilder::set_cell(std::int64_t number, const Json& cell) {
  set("cell", number);
  std::vector<std::pair<std::string, Value>> flat;
  flatten(cell, "", flat);
  for (auto& [name, value] : flat) {
    parameters_.emplace(name, true);
    set(name, std::move(value));
  }
}

void RowBuilder::begin_row() {
  constexpr std::size_t at_once = 4096;
  if (use_ && relation_.rows.size() == at_once) {
    use_(relation_);
    relation_.rows.clear();
  }
  if (!wants_values_) relation_.rows.clear();
  relation_.rows.emplace_back(relation_.columns.size());
}

void RowBuilder::add_columns(const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    if (!places_.try_emplace(column, relation_.columns.size()).second) continue;
    relation_.columns.push_back(column);
    for (auto& row : relation_.rows) row.emplace_back();
  }
}

std::int64_t CellNumbers::operator()(const Json& cell) {
  if (last_ == cell) return number_;
  last_ = cell;
  const auto count = static_cast<std::int64_t>(numbers_.size());
  number_ = numbers_.try_emplace(record::sha256(cell.dump()), count + 1).first->second;
  return number_;
}

void require_query_time() {
  if (seconds_used() > end_of_query) throw std::runtime_error(takes_too_long());
}

}  // namespace bloomlab::analysis::pages
