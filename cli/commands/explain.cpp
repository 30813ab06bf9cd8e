// bloomlab explain: a small Bloom filter at work, step by step.

#include <iostream>
#include <memory>
#include <string>

#include "analysis/explain/drawing.hpp"
#include "analysis/explain/trace_text.hpp"
#include "cli/command.hpp"
#include "cli/explain/json.hpp"
#include "cli/explain/request.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

namespace explain = analysis::explain;

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
                    "slides (a trace of the course slides) or bottles (a puzzle, a first lesson)");
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
