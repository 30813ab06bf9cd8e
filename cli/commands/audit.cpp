// bloomlab audit TARGET: the report card of one filter from outside.

#include "audit/audit.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "audit/page.hpp"
#include "cli/command.hpp"
#include "planner/units.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using record::InputError;
using record::Json;

struct AuditOptions {
  std::vector<std::string> target;
  std::optional<std::string> items, fpr, bits_per_key, expected, options, out;
  bool quick = false;
  bool thorough = false;
  bool json = false;
};

/// What is examined, and the number of keys that it is said to be for.
struct Order {
  foreign::Target target;
  std::optional<double> bits_per_key;
  std::optional<double> fpr;
  std::optional<Json> expected;
  std::optional<std::uint64_t> items;
};

Json object_of(const char* option, const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_object()) return json;
  throw InputError(std::string("audit: ") + option + " is " + text +
                   "; give a JSON object such as {\"kind\": \"standard\", \"k\": 7}");
}

double positive(const Json& json, const std::string& where) {
  if (json.is_number() && json.get<double>() > 0.0) return json.get<double>();
  throw InputError("audit: " + where + " is " + json.dump() + "; give one number above 0");
}

/// The only filter of a config of rates or speed: {"grid": {"filter": {"kind": "library", ...}}}.
Order order_of_config(const fs::path& path) {
  constexpr std::uintmax_t most_bytes = 1U << 20U;
  const Json config = record::read_json(path, most_bytes);
  const std::string where = path.string() + ": /grid/filter";
  const Json grid = config.value("grid", Json::object());
  Json filter = grid.value("filter", config.value("filter", Json()));
  if (filter.is_array() && filter.size() == 1) filter = filter.front();
  if (!filter.is_object()) {
    throw InputError(where + " is " + filter.dump().substr(0, 60) +
                     "; audit takes a config with one filter from outside");
  }
  Order order;
  const std::string kind = filter.value("kind", std::string());
  if (kind == "library" && filter.contains("path") && filter["path"].is_string()) {
    order.target.library = filter["path"].get<std::string>();
  } else if (kind == "command" && filter.contains("command") && filter["command"].is_array()) {
    for (const Json& word : filter["command"]) {
      if (!word.is_string())
        throw InputError(where + "/command: found " + word.dump() + "; give texts");
      order.target.command.push_back(word.get<std::string>());
    }
  } else {
    throw InputError(where + ": found the kind \"" + kind +
                     "\"; audit examines a library with its path, or a command");
  }
  order.target.folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (filter.contains("options")) order.target.options = filter["options"];
  if (filter.contains("expected")) order.expected = filter["expected"];
  if (filter.contains("bits_per_key")) {
    order.bits_per_key = positive(filter["bits_per_key"], where + "/bits_per_key");
  }
  if (filter.contains("fpr")) order.fpr = positive(filter["fpr"], where + "/fpr");
  const Json n = grid.value("n", Json());
  if (n.is_number_unsigned()) order.items = n.get<std::uint64_t>();
  return order;
}

Order order_of(const AuditOptions& options) {
  Order order;
  const std::string& first = options.target.front();
  if (options.target.size() == 1 && first.ends_with(".json")) {
    order = order_of_config(first);
  } else if (options.target.size() == 1 && first.find(".so") != std::string::npos &&
             first.find(' ') == std::string::npos) {
    order.target.library = first;
  } else if (options.target.size() == 1) {
    std::istringstream words(first);
    for (std::string word; words >> word;) order.target.command.push_back(word);
  } else {
    order.target.command = options.target;
  }
  if (order.target.folder.empty()) order.target.folder = fs::current_path();
  if (options.options) order.target.options = object_of("--options", *options.options);
  if (options.expected) order.expected = object_of("--expected", *options.expected);
  if (options.items) order.items = planner::parse_count("--items", *options.items, "keys");
  if (options.fpr) {
    order.fpr = planner::parse_probability("--fpr", *options.fpr);
    order.bits_per_key.reset();
  }
  if (options.bits_per_key) {
    order.bits_per_key =
        positive(Json::parse(*options.bits_per_key, nullptr, false), "--bits-per-key");
    if (!options.fpr) order.fpr.reset();
  }
  if (order.fpr && order.bits_per_key) {
    throw InputError("audit: both a rate and bits per key are given; give one of them");
  }
  if (!order.fpr && !order.bits_per_key) order.bits_per_key = 10.0;
  if (const std::string fault = foreign::fault_of(order.target); !fault.empty()) {
    throw InputError("audit: " + fault);
  }
  return order;
}

audit::Plan plan_of(const AuditOptions& options, const Order& order) {
  const std::uint64_t items = order.items.value_or(0);
  if (options.thorough) return audit::thorough_plan(items);
  return options.quick ? audit::quick_plan(items) : audit::usual_plan(items);
}

void write(const std::string& folder, const audit::Report& report) {
  fs::create_directories(folder);
  record::write_atomically(fs::path(folder) / "audit.md", audit::page(report));
  record::write_atomically(fs::path(folder) / "audit.json", audit::json(report).dump(2) + "\n");
}

int run_audit(const AuditOptions& options) {
  const Order order = order_of(options);
  const std::uint64_t declared_for = order.items.value_or(1000);
  audit::Examined examined{.name = order.target.text(),
                           .start = [&order] { return foreign::start(order.target); },
                           .bits_per_key = order.bits_per_key,
                           .fpr = order.fpr};
  if (order.expected) {
    static_cast<void>(audit::layout_of(*order.expected, declared_for, declared_for, 1));
    examined.expected = [&](std::uint64_t size, std::uint64_t memory_bits) {
      return audit::layout_of(*order.expected, declared_for, size, memory_bits);
    };
  }
  std::cerr << "audit: executes " << order.target.text() << '\n';
  const auto progress = [](std::string_view part) { std::cerr << "audit: " << part << '\n'; };
  const audit::Report report = audit::audit(examined, plan_of(options, order), progress);
  if (options.out) write(*options.out, report);
  if (options.json) {
    std::cout << audit::json(report).dump(2) << '\n';
  } else {
    std::cout << audit::page(report);
  }
  return report.holds() ? done : failed;
}

}  // namespace

Action add_audit(CLI::App& parser) {
  auto options = std::make_shared<AuditOptions>();
  parser
      .add_option("target", options->target,
                  "A shared library (./libmine.so), a command in quotes or after --, or a config "
                  "with one filter from outside")
      ->required();
  parser.add_option("--items", options->items,
                    "Keys that the filter is for; a size more to measure");
  parser.add_option("--fpr", options->fpr, "Rate to request [probability]");
  parser.add_option("--bits-per-key", options->bits_per_key,
                    "Memory to request; 10 where no rate is given");
  parser.add_option("--expected", options->expected,
                    "The layout that it is said to have, as JSON: {\"kind\": \"standard\", \"k\": "
                    "7}; m is for --items keys (or 1000) and grows with them, or is its memory");
  parser.add_option("--options", options->options, "Options of the filter, as JSON");
  parser.add_flag("--quick", options->quick, "Few filters and queries: gross faults only");
  parser.add_flag("--thorough", options->thorough, "Small effects, rare losses, millions of keys")
      ->excludes("--quick");
  parser.add_flag("--json", options->json, "Print JSON in place of the page");
  parser.add_option("--out", options->out, "Folder to write audit.md and audit.json into");
  parser.footer(
      "Exit status 1 where a promise is broken. The filter runs in a process of its own with "
      "limits; that is no sandbox. docs/audit.md says what is measured and which causes are "
      "known.");
  return [options] { return run_audit(*options); };
}

}  // namespace bloomlab::cli
