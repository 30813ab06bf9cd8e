// Numbers as texts, for values and table cells that say more than one number.
#include <stdexcept>

#include "analysis/pages/function_support.hpp"
#include "analysis/pages/functions.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::pages {

namespace {

using Arguments = std::span<const Value>;

/// The digits that are asked for, 3 where none are.
int digits_in(Arguments arguments, const char* what) {
  constexpr int usual = 3;
  constexpr int most = 17;
  if (arguments.size() < 2) return usual;
  const std::uint64_t digits = count_in(arguments[1], what);
  if (digits < 1 || digits > most) {
    throw std::invalid_argument(std::string(what) + ": 1 to 17 digits");
  }
  return static_cast<int>(digits);
}

/// A value with as many decimals as a printed number has.
Value as_printed(Arguments arguments) {
  const std::string& printed = text_in(arguments[1], "as_printed");
  const std::size_t point = printed.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : printed.size() - point - 1;
  if (printed.find_first_not_of("0123456789.-") != std::string::npos) {
    throw std::invalid_argument("as_printed: a decimal number is wanted, found \"" + printed +
                                "\"");
  }
  return fixed(number_in(arguments[0], "as_printed"), static_cast<int>(decimals));
}

}  // namespace

void add_text_functions(const Database& database) {
  for (const int count : {1, 2}) {
    add_function(database, "significant", count, [](Arguments a) -> Value {
      return significant(number_in(a[0], "significant"), digits_in(a, "significant"));
    });
    add_function(database, "percent", count, [](Arguments a) -> Value {
      return signed_percent(number_in(a[0], "percent"), digits_in(a, "percent"));
    });
    add_function(database, "share", count, [](Arguments a) -> Value {
      return percent(number_in(a[0], "share"), digits_in(a, "share"));
    });
  }
  add_function(database, "with_interval", 3, [](Arguments a) -> Value {
    const auto part = [&](std::size_t i) { return number_in(a[i], "with_interval"); };
    return with_interval(part(0), part(1), part(2));
  });
  add_function(database, "percent_interval", 3, [](Arguments a) -> Value {
    const auto part = [&](std::size_t i) { return number_in(a[i], "percent_interval"); };
    return signed_percent_with_interval(part(0), part(1), part(2));
  });
  add_function(database, "grouped", 1,
               [](Arguments a) -> Value { return grouped(count_in(a[0], "grouped")); });
  add_function(database, "p_text", 1,
               [](Arguments a) -> Value { return p_value_text(number_in(a[0], "p_text")); });
  add_function(database, "as_printed", 2, as_printed);
  add_function(database, "setting", 1,
               [](Arguments a) -> Value { return parameter_text(number_in(a[0], "setting")); });
}

void add_translation(const Database& database, const Words& words) {
  const auto call = [](sqlite3_context* context, int /*size*/, sqlite3_value** values) {
    answer(context, [&]() -> Value {
      const auto* spoken = static_cast<const Words*>(sqlite3_user_data(context));
      return spoken->of_data(text_in(read_argument(values[0]), "translated"));
    });
  };
  sqlite3_create_function_v2(database.handle(), "translated", 1,
                             SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                             const_cast<Words*>(&words), call, nullptr, nullptr, nullptr);
}

}  // namespace bloomlab::analysis::pages
