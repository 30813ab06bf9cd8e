// bloomlab system: what production systems make of n and p.

#include "planner/systems/system.hpp"

#include <algorithm>
#include <iomanip>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "core/theory/domain_error.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::cli {
namespace {

using planner::System;
using planner::SystemAnswer;
using planner::SystemRequest;
using record::InputError;
using record::Json;
using record::object;

struct SystemOptions {
  std::vector<std::string> words;
  bool all = false;
  bool json = false;
  std::optional<std::string> memory_price;
};

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json settings_json(const SystemRequest& request) {
  Json settings = Json::object();
  for (const planner::SystemSetting& one : request.system().settings) {
    settings[std::string(one.name)] = or_null(request.word(one.name));
  }
  return settings;
}

double waste_of(const SystemAnswer& answer, double price_per_bit) {
  return static_cast<double>(answer.wasted_bits()) * price_per_bit;
}

Json answer_json(const SystemRequest& request, const SystemAnswer& answer,
                 std::optional<double> price_per_bit) {
  const System& system = request.system();
  const planner::SystemFilter& filter = answer.filter;
  Json layers = Json::array();
  for (const auto& layer : filter.layers) {
    layers.push_back(object("m", layer.m, "k", layer.k, "n", layer.n));
  }
  std::optional<double> wasted_cost;
  if (price_per_bit) wasted_cost = waste_of(answer, *price_per_bit);
  return object("system", system.name, "n", request.n(), "requested", request.requested(),
                "settings", settings_json(request), "m", filter.m, "k", filter.k, "layout",
                filter.layout, "rate_unrounded", answer.rate_unrounded, "rate", answer.rate,
                "stated_rate", filter.stated_rate, "rate_equal_strides", answer.rate_equal_strides,
                "keeps_requested_rate", answer.keeps, "memory_bits", answer.memory_bits,
                "optimal_bits", answer.optimal_bits, "lower_bound_bits", answer.lower_bound_bits,
                "wasted_bits", answer.wasted_bits(), "wasted_cost", wasted_cost, "next_layer_bits",
                filter.next_layer_bits, "layers", layers, "refused", or_null(filter.refused),
                "advice", answer.advice, "advice_keeps_requested_rate", answer.advice_keeps,
                "advice_settings", Json(answer.advice_values), "advice_rate", answer.advice_rate,
                "advice_bits", answer.advice_bits, "rule", system.rule, "source", system.source,
                "comment", system.comment, "remark", filter.remark);
}

/// "2.03 times the 1 % that was asked", or nothing.
std::string against_request(const SystemRequest& request, double rate) {
  if (!request.requested()) return {};
  const double asked = *request.requested();
  return ", " + significant(rate / asked, 3) + " times the " + percent(asked) + " asked";
}

std::string answer_text(const SystemRequest& request, const SystemAnswer& answer,
                        std::optional<double> price_per_bit) {
  const System& system = request.system();
  const planner::SystemFilter& filter = answer.filter;
  std::ostringstream text;
  text << broken(std::string(system.name) + ": " + std::string(system.rule) + "\n", 2)
       << broken("  (" + std::string(system.source) + ")\n", 3);
  text << "  filter      m = " << planner::spaced(filter.m) << ", k = " << filter.k << ", "
       << filter.layout << "; " << planner::iec_text(answer.memory_bits, 4) << " for "
       << planner::counted_text(request.n(), "key") << "\n";
  text << "  rate        " << percent(answer.rate, 4) << ", " << planner::one_in_text(answer.rate)
       << against_request(request, answer.rate) << "\n";
  text << "  unrounded   " << percent(answer.rate_unrounded, 4)
       << " at the size before its rounding\n";
  if (filter.stated_rate) {
    text << "  stated      " << percent(*filter.stated_rate, 4) << " by its own formula\n";
  }
  if (answer.rate_equal_strides) {
    text << "  strides     up to " << percent(*answer.rate_equal_strides, 4)
         << " in so small a filter, by its double hashing\n";
  }
  if (answer.optimal_bits > 0) {
    text << "  wasted      " << planner::counted_text(answer.wasted_bits(), "bit") << ", "
         << percent(
                static_cast<double>(answer.wasted_bits()) / static_cast<double>(answer.memory_bits),
                3)
         << ", beyond the smallest standard filter of that rate\n";
    if (price_per_bit) {
      text << "  cost        " << significant(waste_of(answer, *price_per_bit), 3)
           << " of the price for what is wasted\n";
    }
  }
  if (filter.next_layer_bits > 0) {
    text << "  next        key " << planner::spaced(request.n() + 1)
         << " or a later one opens a layer of " << planner::iec_text(filter.next_layer_bits, 4)
         << "\n";
  }
  if (!filter.refused.empty()) text << broken("refused: " + filter.refused + "\n", 2);
  if (!filter.remark.empty()) text << broken("note: " + filter.remark + "\n", 2);
  text << broken("note: " + std::string(system.comment) + "\n", 2);
  text << broken("set: " + answer.advice + "\n", 2);
  if (answer.advice_keeps && request.requested()) {
    text << "  that gives  " << percent(answer.advice_rate, 3) << " in "
         << planner::iec_text(answer.advice_bits, 4) << "\n";
  }
  return text.str();
}

/// A word of the command line that is the system's name, taken out; empty where there is none.
std::string take_name(std::vector<std::string>& words) {
  const auto name = std::ranges::find_if(
      words, [](const std::string& word) { return word.find('=') == std::string::npos; });
  if (name == words.end()) return {};
  std::string found = *name;
  words.erase(name);
  return found;
}

/// One row of the table of all.
struct Row {
  const System* system;
  std::optional<SystemRequest> request = std::nullopt;
  std::optional<SystemAnswer> answer = std::nullopt;
  std::string fault = {};
};

std::vector<Row> all_rows(std::optional<std::uint64_t> n, std::optional<double> p) {
  std::vector<Row> rows;
  for (const System& system : planner::systems()) {
    Row row{&system};
    try {
      row.request.emplace(system, n, p, std::map<std::string, std::string, std::less<>>());
      row.answer = planner::answer_of(*row.request);
    } catch (const InputError& error) {
      row.fault = error.what();
    } catch (const theory::DomainError& error) {
      row.fault = error.what();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A name at the left of its column, and texts at the right of theirs.
std::string table_line(std::string_view name, const std::vector<std::string>& texts) {
  constexpr std::size_t widths[] = {16, 9, 4, 11, 11, 8};
  std::ostringstream line;
  line << std::left << std::setw(18) << name << std::right;
  for (std::size_t i = 0; i < texts.size(); ++i)
    line << std::setw(static_cast<int>(widths[i])) << texts[i];
  return line.str();
}

/// What is to be set, or why there is nothing to be, beneath the row of its system.
std::string beneath(std::string_view what, const std::string& text) {
  return broken("    " + std::string(what) + ": " + text + "\n", 6);
}

std::string table_text(const std::vector<Row>& rows) {
  std::string text =
      table_line("system", {"m [bits]", "per key", "k", "rate", "unrounded", "wasted"}) + "\n";
  const auto in_percent = [](double share, int digits) {
    return fixed(100.0 * share, digits) + " %";
  };
  for (const Row& row : rows) {
    if (!row.answer) {
      text += std::string(row.system->name) + "\n" + beneath("refused", row.fault);
      continue;
    }
    const SystemAnswer& answer = *row.answer;
    const auto memory = static_cast<double>(answer.memory_bits);
    const double waste = static_cast<double>(answer.wasted_bits()) / memory;
    text +=
        table_line(row.system->name, {planner::spaced(answer.filter.m),
                                      fixed(memory / static_cast<double>(row.request->n()), 2),
                                      std::to_string(answer.filter.k), in_percent(answer.rate, 5),
                                      in_percent(answer.rate_unrounded, 5),
                                      answer.optimal_bits > 0 ? in_percent(waste, 0) : "-"}) +
        "\n" +
        (answer.filter.refused.empty() ? beneath("set", answer.advice)
                                       : beneath("refused", answer.filter.refused));
  }
  return text;
}

int show_all(std::optional<std::uint64_t> n, std::optional<double> p,
             std::optional<double> price_per_bit, bool json) {
  if (!n) throw InputError("system: n is missing; give n and p, such as n=1M p=1%");
  if (!p) throw InputError("system: p is missing; give n and p, such as n=1M p=1%");
  const std::vector<Row> rows = all_rows(n, p);
  Json list = Json::array();
  for (const Row& row : rows) {
    list.push_back(row.answer ? answer_json(*row.request, *row.answer, price_per_bit)
                              : object("system", row.system->name, "error", row.fault));
  }
  print_answer(json, list, table_text(rows));
  return done;
}

int show_system(const SystemOptions& options) {
  std::vector<std::string> words = options.words;
  const std::string name = take_name(words);
  Assignments given("system", words);
  const std::optional<std::uint64_t> n = given.take_keys();
  const std::optional<double> p = given.take_rate();
  std::optional<double> price;
  if (options.memory_price) {
    price = planner::parse_price_per_bit("--memory-price", *options.memory_price);
  }
  if (options.all || name.empty()) {
    if (!name.empty()) throw InputError("system: found " + name + " and --all; give one of them");
    given.require_known({"n", "p"});
    return show_all(n, p, price, options.json);
  }
  const System& system = planner::system_called("system", name);
  const SystemRequest request(system, n, p, given.rest());
  const SystemAnswer answer = planner::answer_of(request);
  print_answer(options.json, answer_json(request, answer, price),
               answer_text(request, answer, price));
  return done;
}

std::string footer() {
  std::string text = "Systems, and what they take beside n and p:\n";
  for (const System& system : planner::systems()) {
    text += "  " + std::string(system.name);
    for (const planner::SystemSetting& setting : system.settings) {
      text += " " + std::string(setting.name) + "=" +
              (setting.fallback.empty() ? "..." : std::string(setting.fallback));
    }
    text += "\n";
  }
  return text +
         "Examples: bloomlab system parquet n=1M p=1%\n"
         "          bloomlab system rocksdb n=15M bits_per_key=15 format_version=4\n"
         "          bloomlab system --all n=1M p=1%";
}

}  // namespace

Action add_system(CLI::App& parser) {
  auto options = std::make_shared<SystemOptions>();
  parser
      .add_option("words", options->words,
                  "The system's name, n=... p=... and its own settings; no name: a table of all")
      ->type_name(quantity);
  parser.add_flag("--all", options->all, "A table of all systems");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.add_option("--memory-price", options->memory_price,
                    "Price of memory, such as 0.05/GiB: what is wasted in money");
  parser.footer(footer());
  return [options] { return show_system(*options); };
}

}  // namespace bloomlab::cli
