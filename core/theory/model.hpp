// A closed form: its arguments, its value and further columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/theory/query.hpp"

namespace bloomlab::theory {

/// What an argument of a model may be.
struct ArgumentInfo {
  enum class Kind { integer, real, word };
  std::string_view name;
  Kind kind = Kind::integer;
  std::string_view unit;
  std::string_view meaning;
  double min = 0.0;  ///< smallest allowed (for integer and real)
  double max = 0.0;  ///< largest allowed
  bool min_excluded = false;
  bool max_excluded = false;
  std::vector<std::string_view> words = {};  ///< allowed words (for word)
  bool optional = false;  ///< a real that may be left out; the model then reads NaN
};

/// A value of a column: nothing (not defined there), truth, integer, real, or rows of integers.
using ColumnValue = std::variant<std::monostate, bool, std::uint64_t, double,
                                 std::vector<std::vector<std::uint64_t>>>;

/// A further result of a model beside its value.
struct Column {
  std::string name;
  ColumnValue value;
};

/// The answer of a model: the recommended value first, then its further columns.
struct Evaluation {
  ColumnValue value;
  std::vector<Column> columns;

  /// The value as a number. Throws DomainError where the value is not a number.
  [[nodiscard]] double number() const;
  /// The column `name` as a number, or NaN where there is none of that name.
  [[nodiscard]] double number(std::string_view name) const;
};

/// One closed form.
struct Model {
  std::string_view name;
  std::string_view summary;  ///< what the value is, in one line, with the formula
  std::string_view unit;     ///< unit of the value: "probability", "bits", "keys", ...
  std::string_view source;   ///< author, year, title; "exact" is followed by its assumption
  std::vector<ArgumentInfo> arguments;
  std::vector<std::string_view> columns;  ///< names of the further columns
  /// Arguments in the order of `arguments`, already checked against it.
  Evaluation (*evaluate)(std::span<const ArgumentValue> arguments);
  /// The value without the columns, where those cost much more; else null.
  double (*value_alone)(std::span<const ArgumentValue> arguments) = nullptr;
};

}  // namespace bloomlab::theory
