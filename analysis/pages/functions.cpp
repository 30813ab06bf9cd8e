#include "analysis/pages/functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "analysis/data/closed_forms.hpp"
#include "analysis/pages/function_support.hpp"

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
        std::vector<Value> arguments;
        for (int i = 0; i < size; ++i) {
          arguments.push_back(read_argument(values[i]));
          if (std::holds_alternative<std::monostate>(arguments.back())) return std::monostate{};
        }
        const auto* asked = static_cast<const theory::Model*>(sqlite3_user_data(context));
        return as_value(evaluated_value(query_of(*asked, arguments)));
      });
    };
    sqlite3_create_function_v2(database.handle(), std::string(model.name).c_str(), -1,
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                               const_cast<theory::Model*>(&model), call, nullptr, nullptr, nullptr);
  }
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

}  // namespace bloomlab::analysis::pages
