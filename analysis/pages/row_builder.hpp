// Tables of SQL row by row: parameters of cells first, then what is computed.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/pages/database.hpp"
#include "record/json.hpp"

namespace bloomlab::analysis::pages {

/// JSON as a value of SQL; what is neither number, text nor truth is written as JSON.
[[nodiscard]] Value value_of(const record::Json& json);

/// The number, or null where it is NaN or infinite.
[[nodiscard]] inline Value number_or_null(double number) {
  return std::isfinite(number) ? Value(number) : Value(std::monostate{});
}

[[nodiscard]] inline std::int64_t signed_of(std::uint64_t count) {
  return static_cast<std::int64_t>(count);
}

/// Rows whose columns are found as they come; a computed name that a parameter has gets "measured_"
/// in front.
class RowBuilder {
 public:
  void begin_row() { relation_.rows.emplace_back(relation_.columns.size()); }

  void set(const std::string& column, Value value);

  /// For what is computed: parameters come first and keep their names.
  void set_computed(const std::string& column, Value value) {
    set(parameters_.contains(column) ? "measured_" + column : column, std::move(value));
  }
  void set_number(const std::string& column, double number) {
    set_computed(column, number_or_null(number));
  }
  /// NAME, NAME_low and NAME_high.
  void set_interval(const std::string& column, double value, double low, double high);

  /// The number of a cell and its parameters: {"filter": {"m": 8}} is the column filter_m.
  void set_cell(std::int64_t number, const record::Json& cell);

  /// The rows; `columns` are there even where no row has them.
  [[nodiscard]] Relation take(std::initializer_list<const char*> columns = {});

 private:
  Relation relation_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, bool> parameters_;
};

/// The number of a cell, counted from 1 in the order of the grid.
class CellNumbers {
 public:
  std::int64_t operator()(const record::Json& cell);

 private:
  const record::Json* last_ = nullptr;
  std::int64_t number_ = 0;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace bloomlab::analysis::pages
