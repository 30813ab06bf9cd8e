// bloomlab theory MODEL name=value...: a closed form at full precision.

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "core/theory/models.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

using record::Json;
using record::object;
using theory::ArgumentInfo;

struct TheoryOptions {
  std::string model;
  std::vector<std::string> assignments;
  bool json = false;
  bool list = false;
};

template <class Number>
bool parse_whole(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  return fault == std::errc() && stop == end;
}

/// The integer written as 1000, 1e3 or 1.5e3, exactly; nothing where it is none or passes 64 bits.
std::optional<std::uint64_t> parse_integer(const std::string& text) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  int exponent = 0;
  if (end < text.size()) {
    const std::size_t sign = text.compare(end + 1, 1, "+") == 0 ? 1 : 0;
    if (!parse_whole(text.substr(end + 1 + sign), exponent)) return std::nullopt;
    if (exponent < -1000 || exponent > 1000) return std::nullopt;
  }
  std::string digits = text.substr(0, end);
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  for (; digits.size() > 1 && digits.back() == '0'; digits.pop_back()) ++exponent;
  if (digits == "0") exponent = 0;
  constexpr int most_zeros = 19;  // 10^20 passes 64 bits
  if (exponent < 0 || exponent > most_zeros) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  std::uint64_t value = 0;
  if (!parse_whole(digits, value)) return std::nullopt;
  return value;
}

/// The same, or a count as `bloomlab plan` reads it: 10M, 2^20, 10 000 000, 10,000,000.
std::optional<std::uint64_t> parse_count(const ArgumentInfo& info, const std::string& text) {
  if (const auto integer = parse_integer(text)) return integer;
  try {
    return info.unit == "bits" ? planner::parse_bits(info.name, text)
                               : planner::parse_count(info.name, text, "");
  } catch (const record::InputError&) {
    return std::nullopt;
  }
}

theory::ArgumentValue parse_value(const ArgumentInfo& info, const std::string& text) {
  const std::string name(info.name);
  if (info.kind == ArgumentInfo::Kind::word) return text;
  if (info.kind == ArgumentInfo::Kind::integer) {
    if (const auto integer = parse_count(info, text)) return *integer;
    throw theory::DomainError("argument " + name + ": found \"" + text +
                              "\"; an integer from 0 to 2^64 - 1 is allowed, written like 1000, "
                              "1e3, 1k or 1 000");
  }
  double value = 0.0;
  if (parse_whole(text, value)) return value;
  if (info.unit == "bits") {
    if (const auto bits = parse_count(info, text)) return static_cast<double>(*bits);
  }
  throw theory::DomainError("argument " + name + ": found \"" + text +
                            "\"; a number within the range of double is allowed, written like "
                            "0.01 or 1e-2");
}

const ArgumentInfo* find_argument(const theory::Model& model, const std::string& name) {
  for (const ArgumentInfo& info : model.arguments) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

theory::Query parse_query(const TheoryOptions& options) {
  const theory::Model& model = theory::model(options.model);
  theory::Query query{options.model, {}};
  for (const std::string& assignment : options.assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos) {
      throw theory::DomainError("found \"" + assignment +
                                "\"; arguments are written name=value, such as m=1024");
    }
    const std::string name = assignment.substr(0, equals);
    const std::string text = assignment.substr(equals + 1);
    const ArgumentInfo* info = find_argument(model, name);
    // An unknown name goes through as a word, so that one place reports it.
    query.arguments.push_back(
        {name, info ? parse_value(*info, text) : theory::ArgumentValue(text)});
  }
  return query;
}

Json to_json(const theory::ColumnValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

Json to_json(const theory::Query& query, const theory::Evaluation& result) {
  Json parameters = Json::object();
  for (const theory::Argument& argument : query.arguments) {
    std::visit([&](const auto& held) { parameters[argument.name] = held; }, argument.value);
  }
  Json json{{"model", query.model}, {"parameters", parameters}, {"value", to_json(result.value)}};
  for (const theory::Column& column : result.columns) json[column.name] = to_json(column.value);
  return json;
}

std::string plain(const theory::ColumnValue& value) {
  if (const double* real = std::get_if<double>(&value)) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", *real);
    return text;
  }
  return to_json(value).dump();
}

std::string_view kind_name(ArgumentInfo::Kind kind) {
  if (kind == ArgumentInfo::Kind::word) return "word";
  return kind == ArgumentInfo::Kind::integer ? "integer" : "real";
}

Json describe(const ArgumentInfo& info) {
  Json json = object("name", info.name, "kind", kind_name(info.kind), "unit", info.unit, "meaning",
                     info.meaning);
  if (info.kind == ArgumentInfo::Kind::word) {
    json["words"] = info.words;
  } else {
    json["min"] = info.min;
    json["max"] = info.max;
  }
  return json;
}

void print_list_json() {
  Json list = Json::array();
  for (const theory::Model& model : theory::models()) {
    Json arguments = Json::array();
    for (const ArgumentInfo& info : model.arguments) arguments.push_back(describe(info));
    list.push_back(object("name", model.name, "summary", model.summary, "unit", model.unit,
                          "source", model.source, "parameters", arguments, "columns",
                          model.columns));
  }
  std::cout << list.dump(2) << '\n';
}

void print_list() {
  for (const theory::Model& model : theory::models()) {
    std::cout << model.name << " [" << model.unit << "]\n  " << model.summary << '\n';
    for (const ArgumentInfo& info : model.arguments) {
      std::cout << "    " << info.name << ": " << info.meaning;
      if (!info.unit.empty()) std::cout << " [" << info.unit << "]";
      for (std::size_t i = 0; i < info.words.size(); ++i) {
        std::cout << (i == 0 ? ": " : ", ") << info.words[i];
      }
      std::cout << '\n';
    }
    std::cout << "  source: " << model.source << "\n\n";
  }
}

int answer(const TheoryOptions& options) {
  if (options.list) {
    if (!options.model.empty()) {
      throw theory::DomainError("--list: found \"" + options.model +
                                "\"; it lists every model and takes no name; leave out one of the "
                                "two");
    }
    options.json ? print_list_json() : print_list();
    return done;
  }
  if (options.model.empty()) {
    throw theory::DomainError("no model given; `bloomlab theory --list` names them all");
  }
  const theory::Query query = parse_query(options);
  const theory::Evaluation result = theory::evaluate(query);
  if (options.json) {
    std::cout << to_json(query, result).dump() << '\n';
  } else {
    std::cout << plain(result.value) << '\n';
  }
  return done;
}

}  // namespace

Action add_theory(CLI::App& parser) {
  auto options = std::make_shared<TheoryOptions>();
  parser.add_option("model", options->model, "Name of the closed form, such as standard_exact");
  parser
      .add_option("arguments", options->assignments,
                  "Its arguments as name=value; integers may be written 1000, 1e3, 1k or 1 000")
      ->type_name(quantity);
  parser.add_flag("--json", options->json, "Print the value and its further columns as JSON");
  parser.add_flag("--list", options->list, "List every model with its arguments, unit and source");
  parser.footer("Example: bloomlab theory standard_exact m=1024 n=102 k=7");
  return [options] { return answer(*options); };
}

}  // namespace bloomlab::cli
