// How C++ functions become functions of SQL.
#pragma once

#include <sqlite3.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/pages/database.hpp"

namespace bloomlab::analysis::pages {

/// An argument as a value of ours.
[[nodiscard]] inline Value read_argument(sqlite3_value* argument) {
  switch (sqlite3_value_type(argument)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_value_int64(argument)};
    case SQLITE_FLOAT:
      return sqlite3_value_double(argument);
    case SQLITE_NULL:
      return std::monostate{};
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(argument));
      return std::string(text == nullptr ? "" : text,
                         static_cast<std::size_t>(sqlite3_value_bytes(argument)));
    }
  }
}

/// A number among the arguments of `what`. Throws std::invalid_argument for a text.
[[nodiscard]] inline double number_in(const Value& value, const char* what) {
  const double number = number_of(value);
  if (std::isnan(number)) throw std::invalid_argument(std::string(what) + ": a number is wanted");
  return number;
}

/// A count among the arguments of `what`. Throws std::invalid_argument for anything else, and for
/// more than `most`.
[[nodiscard]] inline std::uint64_t count_in(const Value& value, const char* what,
                                            std::uint64_t most = std::uint64_t{1} << 53U) {
  const double number = number_in(value, what);
  if (number < 0 || number != std::floor(number) || number > 0x1p53) {
    throw std::invalid_argument(std::string(what) + ": a whole number from 0 is wanted");
  }
  const auto count = static_cast<std::uint64_t>(number);
  if (count > most) {
    throw std::invalid_argument(std::string(what) + ": at most " + std::to_string(most) +
                                " is allowed");
  }
  return count;
}

/// A text among the arguments of `what`. Throws std::invalid_argument for a number.
[[nodiscard]] inline const std::string& text_in(const Value& value, const char* what) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) throw std::invalid_argument(std::string(what) + ": a text is wanted");
  return *text;
}

inline void give_result(sqlite3_context* context, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    sqlite3_result_null(context);
  }
}

/// Calls `compute` and hands its result, or its exception as a fault, to SQLite: none may pass
/// through it.
template <class Compute>
void answer(sqlite3_context* context, const Compute& compute) noexcept {
  try {
    give_result(context, compute());
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception& fault) {
    sqlite3_result_error(context, fault.what(), -1);
  }
}

/// A function of numbers and texts. It is not called where an argument is null.
using Function = Value (*)(std::span<const Value> arguments);

/// Adds `function` under a name with `count` arguments, -1 for any number of them.
inline void add_function(const Database& database, const char* name, int count, Function function) {
  const auto call = [](sqlite3_context* context, int size, sqlite3_value** values) {
    answer(context, [&]() -> Value {
      std::vector<Value> arguments;
      for (int i = 0; i < size; ++i) {
        arguments.push_back(read_argument(values[i]));
        if (std::holds_alternative<std::monostate>(arguments.back())) return std::monostate{};
      }
      return reinterpret_cast<Function>(sqlite3_user_data(context))(arguments);
    });
  };
  sqlite3_create_function_v2(database.handle(), name, count,
                             SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                             reinterpret_cast<void*>(function), call, nullptr, nullptr, nullptr);
}

/// A function over the rows of a group: it gets the rows' arguments, those with a null left out,
/// and at least one row; without any the result is null.
using Aggregate = Value (*)(std::span<const std::vector<double>> rows);

/// Adds `aggregate` under a name with `count` arguments, all numbers.
inline void add_aggregate(const Database& database, const char* name, int count,
                          Aggregate aggregate) {
  using Rows = std::vector<std::vector<double>>;
  const auto rows_of = [](sqlite3_context* context, bool make) -> Rows* {
    auto** place = static_cast<Rows**>(
        sqlite3_aggregate_context(context, make ? static_cast<int>(sizeof(Rows*)) : 0));
    if (place == nullptr) return nullptr;
    if (*place == nullptr && make) *place = new Rows;
    return *place;
  };
  static constexpr auto rows_place = rows_of;
  const auto step = [](sqlite3_context* context, int size, sqlite3_value** values) {
    try {
      Rows* rows = rows_place(context, true);
      if (rows == nullptr) throw std::bad_alloc();
      std::vector<double> row;
      for (int i = 0; i < size; ++i) {
        const Value value = read_argument(values[i]);
        if (std::holds_alternative<std::monostate>(value)) return;
        if (std::holds_alternative<std::string>(value)) {
          return sqlite3_result_error(context, "a number is wanted, found a text", -1);
        }
        row.push_back(number_of(value));
      }
      rows->push_back(std::move(row));
    } catch (const std::bad_alloc&) {
      sqlite3_result_error_nomem(context);
    }
  };
  const auto finish = [](sqlite3_context* context) {
    const std::unique_ptr<Rows> rows(rows_place(context, false));
    answer(context, [&]() -> Value {
      if (rows == nullptr || rows->empty()) return std::monostate{};
      return reinterpret_cast<Aggregate>(sqlite3_user_data(context))(*rows);
    });
  };
  sqlite3_create_function_v2(database.handle(), name, count, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                             reinterpret_cast<void*>(aggregate), nullptr, step, finish, nullptr);
}

}  // namespace bloomlab::analysis::pages
