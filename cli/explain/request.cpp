#include "cli/explain/request.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/catalogue.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

using analysis::explain::Lesson;
using planner::parse_count;
using record::InputError;

constexpr std::array<std::string_view, 2> example_names = {"slides", "bottles"};

[[noreturn]] void refuse_option(std::string_view option, std::string_view found,
                                std::string_view allowed) {
  std::string text(option);
  text.append(": found \"").append(found).append("\"; ").append(allowed);
  throw InputError(text);
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string> comma_parts(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> all_comma_parts(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) {
    const std::vector<std::string> some = comma_parts(text);
    parts.insert(parts.end(), some.begin(), some.end());
  }
  return parts;
}

/// What is explained where no example is asked for: the probe's own hash, reduction and k, and keys
/// that it takes.
Lesson default_lesson(const std::string& probe) {
  Lesson lesson;
  lesson.probe = probe;
  lesson.inserted = {"baidu", "tencent"};
  lesson.queried = {"baidu", "0voice", "taobao"};
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    if (Family::name != probe) return;
    if constexpr (Family::only_k != 0) lesson.k = std::uint64_t{Family::only_k};
    if constexpr (Family::needs_identity) {
      lesson.hash = "identity";
      lesson.inserted = {"42", "1969"};
      lesson.queried = {"42", "7", "2021"};
    }
    if constexpr (!Family::template allows<MultiplyShift>) lesson.reduction = "modulo";
  });
  return lesson;
}

std::pair<std::string, std::vector<std::uint64_t>> read_positions(const std::string& text) {
  constexpr std::string_view allowed =
      "a key and its positions are allowed, written KEY=POSITION,POSITION,..., such as "
      "baidu=1,4,7";
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) refuse_option("--positions", text, allowed);
  std::vector<std::uint64_t> positions;
  for (const std::string& part : comma_parts(std::string_view(text).substr(equals + 1))) {
    const auto position = whole_number(part);
    if (!position) refuse_option("--positions", text, allowed);
    positions.push_back(*position);
  }
  return {text.substr(0, equals), positions};
}

/// The positions that were given. Those of the example stay for keys that were given none, where
/// the lesson still has these keys.
void put_positions(const ExplainOptions& options, Lesson& lesson) {
  std::map<std::string, std::vector<std::uint64_t>> given;
  for (const std::string& text : options.positions) {
    const auto [key, positions] = read_positions(text);
    if (!given.emplace(key, positions).second) {
      throw InputError("--positions: \"" + key + "\" is given twice; give it once");
    }
  }
  const auto has = [&](const std::vector<std::string>& keys, const std::string& key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  std::erase_if(lesson.positions, [&](const auto& entry) {
    return !has(lesson.inserted, entry.first) && !has(lesson.queried, entry.first);
  });
  for (const auto& [key, positions] : given) lesson.positions[key] = positions;
  if (!options.k && !given.empty()) lesson.k = given.begin()->second.size();
}

/// Larger numbers are left to the lesson, which says where to go with them.
std::uint64_t bits_of(const std::string& text) {
  const auto plain = whole_number(text);
  if (plain && *plain > analysis::explain::most_bits) return *plain;
  return parse_count("--m", text, "bits", analysis::explain::most_bits);
}

void put_keys(const ExplainOptions& options, Lesson& lesson) {
  if (options.inserted.empty() && options.queried.empty()) return;
  lesson.inserted = all_comma_parts(options.inserted);
  lesson.queried = all_comma_parts(options.queried);
}

void refuse_with_bottles(bool given, std::string_view option) {
  if (!given) return;
  std::string text = "explain: ";
  throw InputError(text.append(option).append(
      " does not go with --example bottles, which has no filter; leave it out"));
}

}  // namespace

bool asks_for_bottles(const ExplainOptions& options) {
  if (options.example &&
      std::ranges::find(example_names, *options.example) == example_names.end()) {
    throw InputError("--example: unknown example \"" + *options.example + "\"; " +
                     record::suggestion(*options.example, example_names));
  }
  const bool bottles = options.example == "bottles";
  if (!bottles && (options.bottles || options.poisoned)) {
    throw InputError(
        "explain: --bottles and --poisoned are for --example bottles; add it, or leave them out");
  }
  if (!bottles) return false;
  refuse_with_bottles(options.m.has_value(), "--m");
  refuse_with_bottles(options.k.has_value(), "--k");
  refuse_with_bottles(options.seed.has_value(), "--seed");
  refuse_with_bottles(options.hash.has_value(), "--hash");
  refuse_with_bottles(options.probe.has_value(), "--probe");
  refuse_with_bottles(options.reduction.has_value(), "--reduction");
  refuse_with_bottles(!options.inserted.empty(), "--insert");
  refuse_with_bottles(!options.queried.empty(), "--query");
  refuse_with_bottles(!options.positions.empty(), "--positions");
  return true;
}

BottlesRequest bottles_of(const ExplainOptions& options) {
  BottlesRequest request;
  if (options.bottles) request.bottles = parse_count("--bottles", *options.bottles, "bottles");
  request.poisoned = request.bottles;
  if (options.poisoned) {
    const auto poisoned = whole_number(*options.poisoned);
    if (!poisoned || *poisoned < 1 || *poisoned > request.bottles) {
      refuse_option(
          "--poisoned", *options.poisoned,
          "the number of a bottle from 1 to " + std::to_string(request.bottles) + " is allowed");
    }
    request.poisoned = *poisoned;
  }
  return request;
}

Lesson lesson_of(const ExplainOptions& options) {
  Lesson lesson = options.example == "slides"
                      ? analysis::explain::slides_lesson()
                      : default_lesson(options.probe.value_or(Lesson().probe));
  if (options.hash) lesson.hash = *options.hash;
  if (options.probe) lesson.probe = *options.probe;
  if (options.reduction) lesson.reduction = *options.reduction;
  if (options.m) lesson.m = bits_of(*options.m);
  put_keys(options, lesson);
  put_positions(options, lesson);
  if (options.k) lesson.k = parse_count("--k", *options.k, "probes", max_probes);
  if (options.seed) {
    const auto seed = whole_number(*options.seed);
    if (!seed) {
      refuse_option("--seed", *options.seed, "a whole number from 0 to 2^64 - 1 is allowed");
    }
    lesson.seed = *seed;
  }
  return lesson;
}

analysis::explain::Colours colours_of(const ExplainOptions& options) {
  using analysis::explain::Colours;
  if (options.colour == "always") return Colours::ansi;
  if (options.colour == "never") return Colours::none;
  if (options.colour != "auto") {
    refuse_option("--color", options.colour, "allowed: auto, always, never");
  }
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused =
      (no_colour && *no_colour != '\0') || (terminal && std::string_view(terminal) == "dumb");
  return isatty(STDOUT_FILENO) == 1 && !refused ? Colours::ansi : Colours::none;
}

}  // namespace bloomlab::cli
