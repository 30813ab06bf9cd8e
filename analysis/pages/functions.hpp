// What SQL can compute on a page beside its own functions: every closed form of the catalogue by
// its name, their inverses, and the statistics of estimates.
//
//   standard_exact(m, n, k)            a model's value; arguments in the order of its list
//   theory('blocked', 'column', ...)   a further column of a model
//   solve('standard_exact', 'n', p, m, k)
//                                      the integer argument for which the value is at most p: the
//                                      largest where it rises with that argument, else the smallest
//   binomial_low(hits, queries[, level]), binomial_high(...)
//                                      interval of a share, 95 % without a level
//   binomial_p(hits, queries, rate)    exact two-sided p-value
//   normal_p(z), chi_square_p(x, degrees)
//                                      p-values of a deviation, of a sum of squares; two-sided by
//                                      chi_square_two_sided_p(x, degrees)
//   clopper_pearson_low(hits, queries, level), clopper_pearson_high(...)
//                                      the exact interval of a share
//   binomial_coverage('clopper_pearson', queries, rate, level), or 'wilson'
//                                      how often that interval contains the rate
//   filters_to_distinguish(rate, sd, other_rate)
//                                      filters with which a test distinguishes two closed forms
//   threshold('NAME')                  a threshold of the analysis
//   ratio_low(a, a_low, a_high, b, b_low, b_high), ratio_high(...)
//                                      95 % interval of a / b of two independent estimates
//   holm(p, json_group_array(p) over ())
//                                      p adjusted for all tests of the list
//   law_p(hits, filters, queries, rate, sd), law_low(...), law_high(...)
//                                      test and interval of hits of filters, so many queries of
//                                      each, whose rates theory knows with their spread
//   lost_by_clearing(m, n, k, deletions), lost_by_clearing_absent(m, n, k, deleted),
//   lost_by_wrong_deletions(m, n, k, deleted), fpr_after_deletions(m, n, k, deletions, largest),
//   fpr_after_deletions_sd(...)        what deleting costs (analysis/kinds/deletion_laws.hpp)
//   median(x), median_low(x), median_high(x), quantile(x, q), stddev(x),
//   mean_low(x[, level]), mean_high(x[, level]), mean_p(x, expected), mean_detectable(x, level)
//                                      over the rows of a group; intervals of 95 %: the median's by
//                                      bootstrap, the mean's by Student's law, as its test; the
//                                      effect on a mean of 1 that this test notices
//   power(x, y), power_low(x, y), power_high(x, y)
//                                      the exponent b of y = a x^b by least squares of logarithms,
//                                      and its 95 % interval
//   power_law(y, x1[, x2[, x3]])       the fit y = factor x1^b1 x2^b2 x3^b3 as JSON: factor,
//                                      exponents (value, low, high), r_squared, residual_sd
//   significant(x[, digits]), grouped(n), percent(x[, digits]), share(x[, digits]), p_text(p),
//   with_interval(x, low, high), percent_interval(x, low, high)
//                                      texts: "0.0123", "10 000", "+1.2 %", "1.23 %", "< 10⁻¹²",
//                                      "0.12 [0.11, 0.13]", "+1.2 % [+1.0 %, +1.4 %]"
//   as_printed(x, '0.0216')            x with as many decimals as the printed number has
//   setting(x)                         a number that somebody set, without zeros at its end
//
// A null argument gives null. A wrong argument ends the query with one line that names it.
//
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
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::pages {

/// Adds the functions above to a database.
void add_functions(Database& database);

/// Adds translated(text): a text of the data in the language of `words`, which must outlive it.
void add_translation(const Database& database, const Words& words);

/// Parts of the above: those of estimates and tests, of laws, and those that give texts.
void add_statistics_functions(const Database& database);
void add_law_functions(const Database& database);
void add_text_functions(const Database& database);

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

/// The arguments of a call; nothing where one of them is null.
inline std::optional<std::vector<Value>> arguments_of(int size, sqlite3_value** values) {
  std::vector<Value> arguments;
  for (int i = 0; i < size; ++i) {
    arguments.push_back(read_argument(values[i]));
    if (std::holds_alternative<std::monostate>(arguments.back())) return std::nullopt;
  }
  return arguments;
}

/// A function of numbers and texts. It is not called where an argument is null.
using Function = Value (*)(std::span<const Value> arguments);

/// Adds `function` under a name with `count` arguments, -1 for any number of them.
inline void add_function(const Database& database, const char* name, int count, Function function) {
  const auto call = [](sqlite3_context* context, int size, sqlite3_value** values) {
    answer(context, [&]() -> Value {
      const auto arguments = arguments_of(size, values);
      if (!arguments) return std::monostate{};
      return reinterpret_cast<Function>(sqlite3_user_data(context))(*arguments);
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
