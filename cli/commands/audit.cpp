// bloomlab audit TARGET: the report card of one filter, from outside or of the catalogue.

#include "audit/audit.hpp"

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "audit/expected_layout.hpp"
#include "audit/page.hpp"
#include "cli/command.hpp"
#include "cli/commands/audit_catalogue.hpp"
#include "cli/terminal.hpp"
#include "experiments/engine/provenance.hpp"
#include "foreign/child.hpp"
#include "foreign/greeting.hpp"
#include "planner/units.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using record::InputError;
using record::Json;

struct AuditOptions {
  std::vector<std::string> target;
  std::optional<std::string> items, fpr, bits_per_key, expected, options, out, serve;
  bool quick = false;
  bool thorough = false;
  bool json = false;
};

/// What is examined, and the number of keys that it is said to be for.
struct Order {
  foreign::Target target;
  std::optional<CatalogueFilter> ours;  ///< in place of the target
  std::optional<double> bits_per_key;
  std::optional<double> fpr;
  std::optional<Json> expected;
  std::optional<std::uint64_t> items;
};

Json object_of(const char* option, const std::string& text) {
  Json json = record::parse_json(text, std::string("audit: ") + option);
  if (json.is_object()) return json;
  throw InputError(std::string("audit: ") + option + " is " + text +
                   "; give a JSON object such as {\"kind\": \"standard\", \"k\": 7}");
}

double positive(const Json& json, const std::string& where) {
  if (json.is_number() && json.get<double>() > 0.0) return json.get<double>();
  throw InputError("audit: " + where + " is " + record::shown(json) + "; give one number above 0");
}

/// As configs have it (experiments/cells/foreign_cell.cpp).
double bits_per_key_of(const std::string& text) {
  constexpr double most = 1e6;
  double bits = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  const bool is_number = error == std::errc() && stop == text.data() + text.size();
  if (is_number && bits > 0.0 && bits <= most) return bits;
  throw InputError("audit: --bits-per-key is \"" + text +
                   "\"; give one number above 0 and up to 1000000");
}

/// No filter is asked for that is larger than any can be.
void check_size(const Order& order) {
  const double per_key = order.bits_per_key.value_or(0.0);
  const std::uint64_t keys = order.items.value_or(1);
  if (per_key * static_cast<double>(keys) <= static_cast<double>(max_filter_bits)) return;
  throw InputError("audit: " + record::shortest(per_key) + " bits per key for " +
                   std::to_string(keys) +
                   " keys are more than a filter has, 2^48 bits; give fewer --items or "
                   "--bits-per-key");
}

/// Before anything is measured. Throws InputError.
void check_folder(const std::string& folder) {
  if (folder.empty()) {
    throw InputError("--out: found an empty text; the name of a folder is allowed");
  }
  record::require_writable_folder(folder, "--out");
}

/// The only filter of a config of rates or speed: {"grid": {"filter": {"kind": "library", ...}}}.
Order order_of_config(const fs::path& path) {
  constexpr std::uintmax_t most_bytes = 1U << 20U;
  const Json config = record::read_json(path, most_bytes);
  const std::string where = path.string() + ": /grid/filter";
  const auto member = [](const Json& json, const char* name) {
    return json.is_object() ? json.value(name, Json()) : Json();
  };
  const Json grid = member(config, "grid");
  Json filter = member(grid, "filter");
  if (filter.is_null()) filter = member(config, "filter");
  if (filter.is_array() && filter.size() == 1) filter = filter.front();
  if (!filter.is_object()) {
    throw InputError(where + " is " + filter.dump().substr(0, 60) +
                     "; audit takes a config with one filter from outside");
  }
  Order order;
  const Json kind = member(filter, "kind");
  if (kind == "library" && filter.contains("path") && filter["path"].is_string()) {
    order.target.library = filter["path"].get<std::string>();
  } else if (kind == "command" && filter.contains("command") && filter["command"].is_array()) {
    for (const Json& word : filter["command"]) {
      if (!word.is_string())
        throw InputError(where + "/command: found " + word.dump() + "; give texts");
      order.target.command.push_back(word.get<std::string>());
    }
  } else {
    throw InputError(where + ": found the kind " + record::shown(kind) +
                     "; audit examines a library with its path, or a command");
  }
  order.target.folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (filter.contains("options")) order.target.options = filter["options"];
  if (filter.contains("expected")) order.expected = filter["expected"];
  if (filter.contains("bits_per_key")) {
    order.bits_per_key = positive(filter["bits_per_key"], where + "/bits_per_key");
  }
  if (filter.contains("fpr")) order.fpr = positive(filter["fpr"], where + "/fpr");
  const Json n = member(grid, "n");
  if (n.is_number_unsigned()) order.items = n.get<std::uint64_t>();
  return order;
}

Order order_of(const AuditOptions& options) {
  Order order;
  const std::string& first = options.target.front();
  if (options.target.size() == 1 && first.ends_with(".json")) {
    order = order_of_config(first);
  } else if (options.target.size() == 1 && (is_in_catalogue(first) || first == limit_name)) {
    order.ours = CatalogueFilter{.name = first};
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
  if (options.options) {
    const Json object = object_of("--options", *options.options);
    (order.ours ? order.ours->options : order.target.options) = object;
  }
  if (options.expected) order.expected = object_of("--expected", *options.expected);
  if (options.items) order.items = planner::parse_count("--items", *options.items, "keys");
  if (options.fpr) {
    order.fpr = planner::parse_probability("--fpr", *options.fpr);
    order.bits_per_key.reset();
  }
  if (options.bits_per_key) {
    order.bits_per_key = bits_per_key_of(*options.bits_per_key);
    if (!options.fpr) order.fpr.reset();
  }
  if (order.fpr && order.bits_per_key) {
    throw InputError("audit: both a rate and bits per key are given; give one of them");
  }
  if (!order.fpr && !order.bits_per_key) order.bits_per_key = 10.0;
  check_size(order);
  if (order.ours) return order;
  if (const std::string fault = foreign::fault_of(order.target); !fault.empty()) {
    throw InputError("audit: " + fault + "; or name a filter of `bloomlab list`, such as standard");
  }
  return order;
}

audit::Plan plan_of(const AuditOptions& options, const Order& order) {
  const std::uint64_t items = order.items.value_or(0);
  audit::Plan plan = options.thorough ? audit::thorough_plan(items)
                     : options.quick  ? audit::quick_plan(items)
                                      : audit::usual_plan(items);
  constexpr std::uint64_t most_timed = 1'000'000;
  plan.speed_keys = options.thorough ? most_timed : options.quick ? 2000 : 30'000;
  if (items > 0) plan.speed_keys = std::min(most_timed, items);
  return plan;
}

void write(const std::string& folder, const audit::Report& report) {
  fs::create_directories(folder);
  record::write_atomically(fs::path(folder) / "audit.md", audit::page(report));
  record::write_atomically(fs::path(folder) / "audit.json", audit::json(report).dump(2) + "\n");
}

/// Ours of the same layout: as many bits, and as many probes where they are known.
CatalogueFilter like(const audit::Layout& layout) {
  using Kind = audit::Layout::Kind;
  const auto bits = static_cast<std::uint64_t>(layout.bits);
  switch (layout.kind) {
    case Kind::partitioned:
      return {"partitioned", {{"m", bits}, {"k", layout.k}}};
    case Kind::blocked:
      return {"blocked",
              {{"m", bits},
               {"k", layout.k},
               {"block_bits", static_cast<std::uint64_t>(layout.block_bits)}}};
    case Kind::split_block:
      return {"split_block", {{"m", bits}}};
    default:
      return {"standard", {{"m", bits}, {"k", layout.k}}};
  }
}

/// Starts the filter, a second time where this system kept it from its first; a fault that stays
/// ends the audit, as it says nothing of the filter. Throws foreign::Failure and record::RunError.
std::unique_ptr<foreign::ForeignFilter> started(const foreign::Target& target) {
  try {
    return foreign::start(target);
  } catch (const foreign::SystemFault&) {
    // Once more, below.
  }
  try {
    return foreign::start(target);
  } catch (const foreign::SystemFault& fault) {
    throw record::RunError(fault.what());
  }
}

/// Whether the target speaks lines of text; else frames. Throws foreign::Failure.
bool speaks_lines(const foreign::Target& target) {
  if (!target.library.empty()) return false;
  constexpr std::size_t most_greeting = 4096;
  const auto greeting = foreign::read_greeting(foreign::Child(target).read_line(most_greeting));
  return greeting && greeting->protocol == foreign::Protocol::text;
}

/// A filter of ours in a process of its own, by the protocol of the filter that it stands beside.
std::unique_ptr<foreign::ForeignFilter> start_beside(const CatalogueFilter& filter,
                                                     const foreign::Target& beside) {
  foreign::Target target;
  target.command = {fs::read_symlink("/proc/self/exe").string(),
                    "audit",
                    filter.name,
                    "--options",
                    filter.options.dump(),
                    "--serve",
                    speaks_lines(beside) ? "text" : "binary"};
  target.folder = fs::current_path();
  return started(target);
}

audit::Examined examined_of(const Order& order) {
  audit::Examined examined;
  examined.bits_per_key = order.bits_per_key;
  examined.fpr = order.fpr;
  examined.processor = experiments::provenance_of({}, 1, std::nullopt, true)
                           .at("machine")
                           .value("cpu", std::string());
  const std::uint64_t declared_for = order.items.value_or(1000);
  if (order.expected) {
    static_cast<void>(audit::layout_of(*order.expected, declared_for, declared_for, 1));
    examined.expected = [&order, declared_for](std::uint64_t size, std::uint64_t memory_bits) {
      return audit::layout_of(*order.expected, declared_for, size, memory_bits);
    };
  }
  if (order.ours) {
    const CatalogueFilter& ours = *order.ours;
    const auto request = [bits = order.bits_per_key, fpr = order.fpr](std::uint64_t size) {
      return foreign::Request{.n = size, .bits_per_key = bits, .fpr = fpr};
    };
    static_cast<void>(layout_of(ours, request(declared_for)));
    examined.name = ours.name;
    examined.start = [&ours] { return start_here(ours); };
    if (!order.expected) {
      examined.expected = [&ours, request](std::uint64_t size, std::uint64_t /*memory_bits*/) {
        return layout_of(ours, request(size));
      };
    }
    examined.beside = {
        {"limit: a hash and one cache line per key", [](std::uint64_t, std::uint64_t) {
           return start_here({.name = std::string(limit_name)});
         }}};
    return examined;
  }
  examined.name = order.target.text();
  examined.start = [&order] { return started(order.target); };
  examined.beside = {
      {"ours of the same layout",
       [examined, &order](std::uint64_t keys, std::uint64_t bits) {
         return start_beside(like(examined.layout(keys, bits)), order.target);
       }},
      {"limit: a hash and one cache line per key", [&order](std::uint64_t, std::uint64_t) {
         return start_beside({.name = std::string(limit_name)}, order.target);
       }}};
  return examined;
}

int run_audit(const AuditOptions& options) {
  const Order order = order_of(options);
  if (options.out) check_folder(*options.out);
  if (options.serve) {
    if (!order.ours) throw InputError("audit: --serve is for filters of the catalogue");
    serve(*order.ours, *options.serve);
    return done;
  }
  if (order.ours && order.ours->name == limit_name) {
    throw InputError("audit: limit is no filter; name one of `bloomlab list`, such as standard");
  }
  const audit::Examined examined = examined_of(order);
  if (!order.ours) {
    static_cast<void>(record::temporary_folder());  // without it no filter has a place
    std::cerr << "audit: executes " << order.target.text() << '\n';
    say_not_isolated();
  }
  const auto progress = [](std::string_view part) { std::cerr << "audit: " << part << '\n'; };
  const audit::Report report = audit::audit(examined, plan_of(options, order), progress);
  if (options.out) write(*options.out, report);
  print_answer(options.json, audit::json(report), audit::page(report));
  return report.holds() ? done : failed;
}

}  // namespace

Action add_audit(CLI::App& parser) {
  auto options = std::make_shared<AuditOptions>();
  parser
      .add_option("target", options->target,
                  "A shared library (./libmine.so), a command in quotes or after --, a config with "
                  "one filter from outside, or the name of a filter of `bloomlab list`")
      ->required();
  parser.add_option("-n,--items", options->items,
                    "Keys that the filter is for; a size more to measure");
  parser.add_option("-p,--fpr", options->fpr, "Rate to request [probability]");
  parser.add_option("--bits-per-key", options->bits_per_key,
                    "Memory to request; 10 where no rate is given");
  parser.add_option("--expected", options->expected,
                    "The layout that it is said to have, as JSON: {\"kind\": \"standard\", \"k\": "
                    "7}; m is for --items keys (or 1000) and grows with them, or is its memory");
  parser.add_option("--options", options->options,
                    "Options of the filter, as JSON; of the catalogue its parameters, and hash, "
                    "probe, reduction");
  parser.add_flag("--quick", options->quick, "Few filters and queries: gross faults only");
  parser.add_flag("--thorough", options->thorough, "Small effects, rare losses, millions of keys")
      ->excludes("--quick");
  parser.add_flag("--json", options->json, "Print JSON in place of the page");
  parser.add_option("--out", options->out, "Folder to write audit.md and audit.json into");
  parser
      .add_option("--serve", options->serve,
                  "Be the named filter for another process: text or binary")
      ->group("");
  parser.footer(
      "Exit status 1 where a promise is broken. The filter runs in a process of its own with "
      "limits; that is no sandbox. docs/audit.md says what is measured and which causes are "
      "known.");
  return [options] { return run_audit(*options); };
}

}  // namespace bloomlab::cli
