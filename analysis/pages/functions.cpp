#include "analysis/pages/functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "analysis/data/with_theory.hpp"
#include "analysis/kinds/deletion_laws.hpp"
#include "record/number_text.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

constexpr double largest_count = 0x1p53;  // beyond it a double is no whole number for certain

/// A value as an argument of a model: whole numbers are integers however SQL wrote them.
theory::ArgumentValue argument_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = number_of(value);
  if (number >= 0 && number == std::floor(number) && number <= largest_count) {
    return static_cast<std::uint64_t>(number);
  }
  return number;
}

theory::Query query_of(const theory::Model& model, std::span<const Value> values) {
  if (values.size() > model.arguments.size()) {
    throw std::invalid_argument(std::string(model.name) + ": takes at most " +
                                std::to_string(model.arguments.size()) + " arguments, found " +
                                std::to_string(values.size()));
  }
  theory::Query query{.model = std::string(model.name), .arguments = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    query.arguments.push_back({std::string(model.arguments[i].name), argument_of(values[i])});
  }
  return query;
}

Value as_value(const theory::ColumnValue& column) {
  if (const auto* truth = std::get_if<bool>(&column)) return std::int64_t{*truth ? 1 : 0};
  if (const auto* real = std::get_if<double>(&column)) return *real;
  if (const auto* integer = std::get_if<std::uint64_t>(&column)) {
    return static_cast<double>(*integer) <= largest_count ? Value(std::int64_t(*integer))
                                                          : Value(static_cast<double>(*integer));
  }
  return std::monostate{};
}

Value further_column(std::span<const Value> arguments) {
  if (arguments.size() < 2) throw std::invalid_argument("theory('model', 'column', ...) is wanted");
  const theory::Model& model = theory::model(text_in(arguments[0], "theory"));
  const std::string& wanted = text_in(arguments[1], "theory");
  const auto evaluation = evaluated(query_of(model, arguments.subspan(2)));
  for (const theory::Column& column : evaluation.columns) {
    if (column.name == wanted) return as_value(column.value);
  }
  std::string known;
  for (const auto& name : model.columns) known += (known.empty() ? "" : ", ") + std::string(name);
  throw std::invalid_argument("theory: " + std::string(model.name) + " has no column \"" + wanted +
                              "\"; there are " + known);
}

/// A closed form along one of its whole-number arguments.
class Along {
 public:
  Along(const theory::Model& model, std::string_view argument, std::span<const Value> others)
      : query_{.model = std::string(model.name), .arguments = {}} {
    std::size_t next = 0;
    bool found = false;
    for (const theory::ArgumentInfo& info : model.arguments) {
      if (info.name == argument && info.kind == theory::ArgumentInfo::Kind::integer) {
        found = true;
        place_ = query_.arguments.size();
        least_ = static_cast<std::uint64_t>(std::max(info.min, 1.0));
        query_.arguments.push_back({std::string(info.name), least_});
      } else if (next < others.size()) {
        query_.arguments.push_back({std::string(info.name), argument_of(others[next++])});
      }
    }
    if (!found) {
      throw std::invalid_argument("solve: " + std::string(model.name) +
                                  " has no whole-number argument \"" + std::string(argument) +
                                  "\"");
    }
    if (next != others.size()) throw std::invalid_argument("solve: too many arguments");
  }

  [[nodiscard]] std::uint64_t least() const { return least_; }
  [[nodiscard]] double operator()(std::uint64_t x) {
    require_query_time();
    query_.arguments[place_].value = x;
    return theory::Evaluation{evaluated_value(query_), {}}.number();
  }

 private:
  theory::Query query_;
  std::size_t place_ = 0;
  std::uint64_t least_ = 1;
};

Value solved(std::span<const Value> arguments) {
  if (arguments.size() < 3) {
    throw std::invalid_argument("solve('model', 'argument', value, ...) is wanted");
  }
  constexpr std::uint64_t farthest = std::uint64_t{1} << 50U;
  Along form(theory::model(text_in(arguments[0], "solve")), text_in(arguments[1], "solve"),
             arguments.subspan(3));
  const double target = number_in(arguments[2], "solve");
  std::uint64_t low = form.least();
  const bool rises = form(low) <= target;  // it starts within the target, and leaves it
  std::uint64_t high = low;
  do {
    low = high;
    if (high >= farthest) return std::monostate{};
    high *= 2;
  } while ((form(high) <= target) == rises);
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    ((form(middle) <= target) == rises ? low : high) = middle;
  }
  return static_cast<std::int64_t>(rises ? low : high);
}

void add_closed_forms(const Database& database) {
  for (const theory::Model& model : theory::models()) {
    const auto call = [](sqlite3_context* context, int size, sqlite3_value** values) {
      answer(context, [&]() -> Value {
        const auto arguments = arguments_of(size, values);
        if (!arguments) return std::monostate{};
        const auto* asked = static_cast<const theory::Model*>(sqlite3_user_data(context));
        return as_value(evaluated_value(query_of(*asked, *arguments)));
      });
    };
    sqlite3_create_function_v2(database.handle(), std::string(model.name).c_str(), -1,
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                               const_cast<theory::Model*>(&model), call, nullptr, nullptr, nullptr);
  }
}

using Arguments = std::span<const Value>;

/// Hits of filters whose rate is known with its spread: (hits, filters, queries, rate, sd).
struct Lawful {
  explicit Lawful(Arguments a)
      : hits(count_in(a[0], "hits")),
        sampling{count_in(a[1], "filters"), count_in(a[2], "queries")},
        law{number_in(a[3], "rate"), number_in(a[4], "sd") * number_in(a[4], "sd")} {}

  [[nodiscard]] statistics::Interval interval() const {
    return statistics::estimate_with_law(hits, sampling, law,
                                         statistics::thresholds::interval_level)
        .interval;
  }

  std::uint64_t hits;
  statistics::Sampling sampling;
  statistics::RateLaw law;
};

/// (m, n, k) of a filter from which keys are deleted.
FilterAfterDeletions filter_of(Arguments a) {
  constexpr std::uint64_t most_probes = 1024;
  return {.m = count_in(a[0], "m"),
          .n = count_in(a[1], "n"),
          .k = count_in(a[2], "k", most_probes),
          .deletions = 0};
}

/// Keys that are deleted one after the other; a mean may be no whole number.
double deleted_in(Arguments a) {
  constexpr double most = 1e6;
  const double deleted = number_in(a[3], "deleted");
  if (deleted < 0.0 || deleted > most) {
    throw std::invalid_argument("deleted: a number from 0 to 1000000 is wanted");
  }
  return deleted;
}

FilterAfterDeletions with_deletions(Arguments a) {
  FilterAfterDeletions filter = filter_of(a);
  filter.deletions = count_in(a[3], "deletions", filter.n);
  return filter;
}

statistics::RateLaw after_deletions(Arguments a) {
  const FilterAfterDeletions filter = with_deletions(a);
  return rate_after_deleting(filter, count_in(a[4], "largest"));
}

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
  constexpr std::size_t longest = 40;
  if (printed.size() > longest || printed.find_first_not_of("0123456789.-") != std::string::npos) {
    throw std::invalid_argument("as_printed: a decimal number of at most " +
                                std::to_string(longest) + " digits is wanted, found \"" +
                                printed.substr(0, longest) + "\"");
  }
  return fixed(number_in(arguments[0], "as_printed"), static_cast<int>(decimals));
}

}  // namespace

void add_functions(Database& database) {
  add_closed_forms(database);
  add_function(database, "theory", -1, further_column);
  add_function(database, "solve", -1, solved);
  add_statistics_functions(database);
  add_law_functions(database);
  add_text_functions(database);
}

void add_law_functions(const Database& database) {
  add_function(database, "law_p", 5, [](Arguments a) -> Value {
    const Lawful counted(a);
    return statistics::test_ensemble_rate(counted.hits, counted.sampling, counted.law).p_value;
  });
  add_function(database, "law_low", 5,
               [](Arguments a) -> Value { return Lawful(a).interval().low; });
  add_function(database, "law_high", 5,
               [](Arguments a) -> Value { return Lawful(a).interval().high; });
  add_function(database, "lost_by_clearing", 4,
               [](Arguments a) -> Value { return lost_by_clearing(with_deletions(a)); });
  add_function(database, "lost_by_clearing_absent", 4, [](Arguments a) -> Value {
    return lost_by_clearing_absent_keys(filter_of(a), deleted_in(a));
  });
  add_function(database, "lost_by_wrong_deletions", 4, [](Arguments a) -> Value {
    return lost_by_wrong_deletions(filter_of(a), deleted_in(a));
  });
  add_function(database, "fpr_after_deletions", 5,
               [](Arguments a) -> Value { return after_deletions(a).rate; });
  add_function(database, "fpr_after_deletions_sd", 5,
               [](Arguments a) -> Value { return std::sqrt(after_deletions(a).variance); });
}

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
