// bloomlab explain: a small Bloom filter at work, step by step.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/explain/drawing.hpp"
#include "analysis/explain/examples.hpp"
#include "analysis/explain/trace.hpp"
#include "analysis/explain/trace_text.hpp"
#include "cli/command.hpp"
#include "core/catalogue.hpp"
#include "planner/units.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

/// What was given; an option that was not is std::nullopt or empty.
struct ExplainOptions {
  std::optional<std::string> m, k, seed, hash, probe, reduction;
  std::vector<std::string> inserted;   ///< keys, several of them separated by commas
  std::vector<std::string> queried;    ///< the same
  std::vector<std::string> positions;  ///< KEY=POSITION,POSITION,...
  std::optional<std::string> example, bottles, poisoned, svg;
  std::string language = "en";
  std::string colour = "auto";
  bool json = false;
};

/// The puzzle of the bottles, in numbers: 1 <= poisoned <= bottles.
struct BottlesRequest {
  std::uint64_t bottles = 1000;
  std::uint64_t poisoned = 1000;
};

using analysis::explain::example_names;
using analysis::explain::Lesson;
using planner::parse_count;
using record::InputError;

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
  return planner::parse_bits("--m", text, analysis::explain::most_bits);
}

void put_keys(const ExplainOptions& options, Lesson& lesson) {
  if (options.inserted.empty() && options.queried.empty()) return;
  lesson.inserted = all_comma_parts(options.inserted);
  lesson.queried = all_comma_parts(options.queried);
}

/// Whether the puzzle of the bottles is asked for. Throws record::InputError for an unknown example
/// and for options that do not go with it.
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
  for (const auto& [given, option] : std::initializer_list<std::pair<bool, const char*>>{
           {options.m.has_value(), "--m"},
           {options.k.has_value(), "--k"},
           {options.seed.has_value(), "--seed"},
           {options.hash.has_value(), "--hash"},
           {options.probe.has_value(), "--probe"},
           {options.reduction.has_value(), "--reduction"},
           {!options.inserted.empty(), "--insert"},
           {!options.queried.empty(), "--query"},
           {!options.positions.empty(), "--positions"}}) {
    if (!given) continue;
    throw InputError(std::string("explain: ") + option +
                     " does not go with --example bottles, which has no filter; leave it out");
  }
  return true;
}

/// The puzzle; without numbers it is that of the course slides, the last bottle poisoned.
/// Throws record::InputError.
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

/// The lesson; what was not given is that of the example, or goes with the probe. Throws
/// record::InputError.
Lesson lesson_of(const ExplainOptions& options) {
  Lesson lesson = options.example ? analysis::explain::example_lesson(*options.example).value()
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

/// Whether to colour what goes to the standard output: `auto` does where that is a terminal and the
/// environment holds no NO_COLOR. Throws record::InputError for another word.
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

namespace explain = analysis::explain;
using record::Json;
using record::object;

Json reading_json(const explain::Reading& reading) {
  Json words = Json::array();
  for (const std::uint64_t word : reading.words) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%016" PRIx64, word);
    words.push_back(text);
  }
  return object("key", reading.key, "given", reading.given, "digest", words, "positions",
                reading.positions);
}

Json insertion_json(const explain::Insertion& insertion) {
  std::set<std::uint64_t> fresh;
  std::set<std::uint64_t> standing;
  for (std::size_t i = 0; i < insertion.touches.size(); ++i) {
    const std::uint64_t position = insertion.reading.positions[i];
    if (insertion.touches[i] == explain::Touch::fresh) fresh.insert(position);
    if (insertion.touches[i] == explain::Touch::standing) standing.insert(position);
  }
  Json json = reading_json(insertion.reading);
  json["newly_set"] = fresh;
  json["already_set"] = standing;
  return json;
}

Json question_json(const explain::Question& question) {
  Json json = reading_json(question.reading);
  const bool absent = question.verdict == explain::Verdict::absent;
  json["answer"] = absent ? "absent" : "maybe";
  json["stopped_by"] = record::json_of(question.stopped_by);
  json["inserted"] = question.verdict == explain::Verdict::inserted_key;
  json["false_positive"] = question.verdict == explain::Verdict::false_positive;
  return json;
}

Json rate_lines_json(const explain::Trace& trace) {
  Json rate = Json::object();
  for (const explain::RateLine& line : explain::rate_lines(trace)) {
    rate[std::string(line.name)] = line.value;
  }
  return rate;
}

Json remarks_json(const explain::Trace& trace) {
  Json remarks = Json::object();
  for (const explain::Remark& remark : explain::remarks_of(trace)) {
    for (const auto& [tag, value] : remark.tags) {
      Json& place = remarks[remark.text][tag];
      std::visit([&place](const auto& plain) { place = plain; }, value);
    }
  }
  return remarks;
}

/// A lesson: m, k, n, how keys were hashed, what every insert and query did, the bits from position
/// 0 on, the lines of the rate, and the numbers that an example adds.
Json trace_json(const explain::Trace& trace) {
  const explain::Lesson& lesson = trace.lesson;
  Json inserted = Json::array();
  for (const auto& insertion : trace.insertions) inserted.push_back(insertion_json(insertion));
  Json queries = Json::array();
  for (const auto& question : trace.questions) queries.push_back(question_json(question));
  std::string bits;
  for (const bool bit : trace.bits) bits += bit ? '1' : '0';
  return object("m", lesson.m, "n", trace.n, "k", lesson.k, "hash", lesson.hash, "probe",
                lesson.probe, "reduction", lesson.reduction, "seed", lesson.seed, "inserted",
                inserted, "bits", bits, "bits_set", trace.bits_set, "queries", queries, "rate",
                rate_lines_json(trace), "remarks", remarks_json(trace));
}

/// The puzzle: how many mice, the poisoned bottle's digits, who dies and which bottle that names.
/// `rightly_named` counts the bottles that are named rightly, null where they are too many to try.
Json bottles_json(const BottlesRequest& request) {
  const int mice = explain::mice_for(request.bottles);
  Json dead = Json::array();
  const std::vector<int> numbers = explain::dead_mice(request.poisoned, mice);
  for (const int mouse : numbers) dead.push_back(mouse + 1);
  std::optional<std::uint64_t> rightly_named;
  if (request.bottles <= explain::most_tried_bottles) {
    rightly_named = explain::rightly_named(request.bottles);
  }
  return object("example", "bottles", "bottles", request.bottles, "mice", mice, "poisoned",
                request.poisoned, "code", explain::code_of(request.poisoned, mice), "dead_mice",
                dead, "named", explain::named_bottle(numbers, mice), "rightly_named",
                rightly_named);
}

explain::Lines explain_lines(const ExplainOptions& options) {
  try {
    return explain::Lines(options.language);
  } catch (const record::InputError& error) {
    throw record::InputError("--lang: " + std::string(error.what()));
  }
}

void write_drawing(const ExplainOptions& options, const explain::Drawing& drawing) {
  if (options.svg) record::write_atomically(*options.svg, explain::svg_of(drawing));
}

int explain_bottles(const ExplainOptions& options) {
  const BottlesRequest request = bottles_of(options);
  const explain::Lines lines = explain_lines(options);
  const explain::Colours colours = colours_of(options);
  write_drawing(options, explain::drawing_of_bottles(request.bottles, request.poisoned, lines));
  if (options.json) {
    std::cout << bottles_json(request).dump() << '\n';
  } else {
    std::cout << explain::bottles_text(request.bottles, request.poisoned, lines, colours);
  }
  return done;
}

int explain_filter(const ExplainOptions& options) {
  const explain::Trace trace = explain::trace(lesson_of(options));
  const explain::Lines lines = explain_lines(options);
  const explain::Colours colours = colours_of(options);
  write_drawing(options, explain::drawing_of(trace, lines));
  if (options.json) {
    std::cout << trace_json(trace).dump() << '\n';
  } else {
    std::cout << explain::trace_text(trace, lines, colours);
  }
  return done;
}

void add_filter_options(CLI::App& parser, ExplainOptions& options) {
  parser.add_option("--m", options.m, "Filter bits, 1 to 256 (default 16)");
  parser.add_option("--k", options.k, "Positions per key (default 3, or as --positions are given)");
  parser.add_option("--seed", options.seed, "Seed of the hash (default 0)");
  parser.add_option("--hash", options.hash, "Hash of the catalogue (default xxhash3_64)");
  parser.add_option("--probe", options.probe, "Hashing scheme (default independent)");
  parser.add_option("--reduction", options.reduction, "Reduction (default multiply_shift)");
  parser.add_option("--insert", options.inserted, "Keys to insert, separated by commas")
      ->allow_extra_args(false);
  parser.add_option("--query", options.queried, "Keys to ask for, separated by commas")
      ->allow_extra_args(false);
  parser
      .add_option(
          "--positions", options.positions,
          "Positions of a key in place of hashed ones, such as baidu=1,4,7; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

Action add_explain(CLI::App& parser) {
  auto options = std::make_shared<ExplainOptions>();
  add_filter_options(parser, *options);
  parser.add_option("--example", options->example,
                    "slides (a trace of the course slides), bottles (a puzzle, a first lesson), "
                    "fruits (an article's filter in JavaScript, over all its multipliers), "
                    "shared_bit (removing a key that shares a bit with another), probing (double "
                    "hashing in a hash table and in a filter) or optimum (why the best filter is "
                    "half full)");
  parser.add_option("--bottles", options->bottles, "Bottles of the puzzle (default 1000)");
  parser.add_option("--poisoned", options->poisoned, "The poisoned one (default the last)");
  parser.add_option("--lang", options->language, "Language: en, zh or ru");
  parser.add_option("--svg", options->svg, "Draw the bit array into this file");
  parser.add_flag("--json", options->json, "Print one JSON object");
  parser.add_option("--color", options->colour, "auto (on a terminal), always or never");
  parser.footer(
      "Examples: bloomlab explain --example slides --lang zh\n"
      "          bloomlab explain --m 32 --k 4 --insert red,green --query blue\n"
      "          bloomlab explain --insert a,b --query c --positions a=1,4,7 --positions c=1,5,8");
  return [options] {
    return asks_for_bottles(*options) ? explain_bottles(*options) : explain_filter(*options);
  };
}

}  // namespace bloomlab::cli
