#include "core/theory/models.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/theory/catalogue.hpp"

namespace bloomlab::theory {
namespace {

/// Number of single-character edits between two words (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string in_quotes(std::string_view word) { return '"' + std::string(word) + '"'; }

/// The shortest text that reads back as the same number; integers without exponent.
std::string shown(double value) {
  char text[64];
  const bool whole = value == std::floor(value) && std::abs(value) < 0x1p64;
  const auto end = whole ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                         : std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string shown(const ArgumentValue& value) {
  if (const auto* integer = std::get_if<std::uint64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) {
    return std::isnan(*real) ? "not a number" : shown(*real);
  }
  return in_quotes(std::get<std::string>(value));
}

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string argument_names(const Model& model) {
  std::vector<std::string_view> names;
  for (const ArgumentInfo& info : model.arguments) names.push_back(info.name);
  return joined(names);
}

/// `an integer from 1 to 256 [probes per key]` and such.
std::string allowed(const ArgumentInfo& info) {
  if (info.kind == ArgumentInfo::Kind::word) return joined(info.words);
  const std::string unit = info.unit.empty() ? "" : " [" + std::string(info.unit) + "]";
  if (info.kind == ArgumentInfo::Kind::integer) {
    return "an integer from " + shown(info.min) + " to " + shown(info.max) + unit;
  }
  return "a number " + std::string(info.min_excluded ? "above " : "from ") + shown(info.min) +
         (info.max_excluded ? " and below " : " to ") + shown(info.max) + unit;
}

bool in_bounds(const ArgumentInfo& info, double value) {
  const bool above = info.min_excluded ? value > info.min : value >= info.min;
  const bool below = info.max_excluded ? value < info.max : value <= info.max;
  return above && below;
}

/// The value in the kind of its argument, or nothing where it is not allowed. An integer serves as
/// a real number.
std::optional<ArgumentValue> accepted(const ArgumentInfo& info, const ArgumentValue& value) {
  const auto* integer = std::get_if<std::uint64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  switch (info.kind) {
    case ArgumentInfo::Kind::integer:
      // Bounds are integers of at most 2^63: exact as doubles, as a larger integer may not be.
      if (integer && *integer >= static_cast<std::uint64_t>(info.min) &&
          *integer <= static_cast<std::uint64_t>(info.max)) {
        return value;
      }
      break;
    case ArgumentInfo::Kind::real: {
      const double number = integer ? static_cast<double>(*integer) : real ? *real : std::nan("");
      return in_bounds(info, number) ? std::optional<ArgumentValue>(number) : std::nullopt;
    }
    case ArgumentInfo::Kind::word:
      if (word && std::ranges::find(info.words, *word) != info.words.end()) return value;
      break;
  }
  return std::nullopt;
}

ArgumentValue checked(const Model& model, const ArgumentInfo& info, const Query& query) {
  const std::string where = std::string(model.name) + ": ";
  const Argument* found = nullptr;
  for (const Argument& argument : query.arguments) {
    if (argument.name != info.name) continue;
    if (found) throw DomainError(where + "argument " + in_quotes(info.name) + " is given twice");
    found = &argument;
  }
  if (!found && info.optional) return std::numeric_limits<double>::quiet_NaN();
  if (!found) {
    throw DomainError(where + "argument " + in_quotes(info.name) + " is missing (" +
                      std::string(info.meaning) + "); give " + argument_names(model));
  }
  const std::optional<ArgumentValue> value = accepted(info, found->value);
  if (!value) {
    throw DomainError(where + "argument " + in_quotes(info.name) + " is " + shown(found->value) +
                      "; allowed: " + allowed(info));
  }
  return *value;
}

/// The arguments of a query in the model's order. Throws DomainError.
std::vector<ArgumentValue> checked_values(const Model& asked, const Query& query) {
  for (const Argument& argument : query.arguments) {
    if (std::ranges::find(asked.arguments, argument.name, &ArgumentInfo::name) ==
        asked.arguments.end()) {
      throw DomainError(std::string(asked.name) + ": unknown argument " + in_quotes(argument.name) +
                        "; allowed: " + argument_names(asked));
    }
  }
  std::vector<ArgumentValue> values;
  for (const ArgumentInfo& info : asked.arguments) values.push_back(checked(asked, info, query));
  return values;
}

/// A 0 without a sign, which sums of logarithms of 1 leave.
ColumnValue without_sign(ColumnValue value) {
  if (double* real = std::get_if<double>(&value)) *real += 0.0;
  return value;
}

}  // namespace

double Evaluation::number() const {
  if (const auto* integer = std::get_if<std::uint64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw DomainError("the value of this model is not a number here");
}

double Evaluation::number(std::string_view name) const {
  for (const Column& column : columns) {
    if (column.name != name) continue;
    if (const auto* integer = std::get_if<std::uint64_t>(&column.value)) {
      return static_cast<double>(*integer);
    }
    if (const auto* real = std::get_if<double>(&column.value)) return *real;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::span<const Model> models() {
  static const std::vector<Model> all = [] {
    std::vector<Model> described;
    for (const auto describe : catalogue::all) described.push_back(describe());
    return described;
  }();
  return all;
}

const Model& model(std::string_view name) {
  const std::span<const Model> all = models();
  const auto found = std::ranges::find(all, name, &Model::name);
  if (found != all.end()) return *found;
  const auto distance = [&](const Model& candidate) { return edit_distance(name, candidate.name); };
  const auto nearest = std::ranges::min_element(all, {}, distance);
  const bool alike = distance(*nearest) <= std::max<std::size_t>(2, name.size() / 3);
  throw DomainError("unknown model " + in_quotes(name) + "; " +
                    (alike ? "did you mean " + in_quotes(nearest->name) + "?"
                           : "`bloomlab theory --list` names all"));
}

Evaluation evaluate(const Query& query) {
  const Model& asked = model(query.model);
  Evaluation result = asked.evaluate(checked_values(asked, query));
  result.value = without_sign(std::move(result.value));
  for (Column& column : result.columns) column.value = without_sign(std::move(column.value));
  return result;
}

ColumnValue evaluate_value(const Query& query) {
  const Model& asked = model(query.model);
  const std::vector<ArgumentValue> values = checked_values(asked, query);
  return without_sign(asked.value_alone != nullptr ? asked.value_alone(values)
                                                   : asked.evaluate(values).value);
}

}  // namespace bloomlab::theory
