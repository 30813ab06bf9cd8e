// bloomlab inspect: what a saved filter tells, whoever wrote it.

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/inspect/input.hpp"
#include "cli/inspect/together.hpp"
#include "cli/terminal.hpp"
#include "formats/inspection.hpp"
#include "formats/wrapped.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"
#include "record/suggest.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

using formats::Inspection;
using record::Json;
using record::object;

struct InspectOptions {
  std::vector<std::string> files;
  std::optional<std::string> fpr, format;
  std::optional<std::string> bits, probes, offset, order, word;  ///< of --format raw
  std::optional<std::string> write;                              ///< where the union is saved
  bool json = false;
  bool each = false;
  bool intersection = false;
  bool force = false;
};

/// One of the texts, by its place. Throws InputError.
std::size_t choice_of(std::string_view what, const std::string& text,
                      std::span<const std::string_view> known) {
  const auto found = std::ranges::find(known, text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  throw record::InputError(std::string(what) + ": found \"" + text + "\"; " +
                           record::suggestion(text, known));
}

/// Where raw bits stand, if the format is raw. Throws InputError.
std::optional<formats::RawBits> raw_bits(const InspectOptions& options) {
  if (options.format != "raw") {
    const std::pair<const char*, bool> given[] = {{"--bits", options.bits.has_value()},
                                                  {"--probes", options.probes.has_value()},
                                                  {"--offset", options.offset.has_value()},
                                                  {"--order", options.order.has_value()},
                                                  {"--word", options.word.has_value()}};
    for (const auto& [name, is_given] : given) {
      if (is_given) throw record::InputError(std::string(name) + " is for --format raw alone");
    }
    return std::nullopt;
  }
  if (!options.bits || !options.probes) {
    throw record::InputError("--format raw: give --bits M and --probes K");
  }
  constexpr std::array<std::string_view, 2> orders{"lsb", "msb"};
  constexpr std::array<std::string_view, 3> words{"1", "4", "8"};
  constexpr std::array<std::uint64_t, 3> word_bytes{1, 4, 8};
  formats::RawBits raw{
      .m = planner::parse_bits("--bits", *options.bits, max_filter_bits),
      .k = planner::parse_count("--probes", *options.probes, "probes", max_probes)};
  if (options.offset) {
    raw.offset = planner::parse_bytes("--offset", *options.offset, planner::largest_quantity, 0);
  }
  if (options.order && choice_of("--order", *options.order, orders) == 1) {
    raw.order = formats::BitOrder::msb;
  }
  if (options.word) {
    const std::uint64_t bytes = planner::parse_bytes("--word", *options.word, word_bytes.back());
    raw.word_bytes = word_bytes[choice_of("--word", std::to_string(bytes), words)];
  }
  if (raw.order == formats::BitOrder::msb && raw.word_bytes != 1) {
    throw record::InputError(
        "--word: big-endian words that begin with the highest bit are bytes that do; leave it out");
  }
  return raw;
}

InspectedFile inspect_file(const std::string& path, std::optional<double> p,
                           const std::string& format, const std::optional<formats::RawBits>& raw) {
  try {
    const auto file = std::make_shared<const FileBytes>(path);
    return {.path = path,
            .filters = raw ? formats::inspect_raw(file->bytes(), p, *raw)
                           : formats::inspect_bytes(file->bytes(), p, format),
            .kept = FileBytes::is_read_again(path) ? nullptr : file};
  } catch (const FormatError& error) {
    return {.path = path, .error = "inspect: " + path + ": " + error.what()};
  } catch (const record::InputError& error) {
    return {.path = path, .error = error.what()};
  }
}

/// One of a file's texts in JSON, which cannot hold every byte.
std::string shown(std::string_view text) { return record::made_visible(text); }

Json inspection_json(const std::string& path, const Inspection& one) {
  const auto of_bits = [&](const auto& value) {
    return one.has_bits ? Json(value) : Json(nullptr);
  };
  Json fold = nullptr;
  if (one.fold) fold = object("m", one.fold->m, "rate", one.fold->rate);
  return object("file", shown(path), "wrappers", one.wrappers, "format", shown(one.format),
                "version", shown(one.version), "place", shown(one.place), "hash", shown(one.hash),
                "layout", one.layout, "layers", one.layers, "m", one.m, "k", one.k, "has_bits",
                one.has_bits, "bits_set", of_bits(one.bits_set), "fill", of_bits(one.fill), "rate",
                of_bits(one.rate), "keys", keys_json(one.keys), "recorded_keys", one.recorded_keys,
                "stated_rate", one.stated_rate, "goal", one.goal, "capacity", one.capacity,
                "keys_left", one.keys_left, "checksum", one.checksum, "saturated", one.saturated,
                "mergeable", !one.same_kind.empty(), "fold", fold, "faults", one.faults);
}

std::string bits_text(const Inspection& one) {
  if (!one.has_bits) return "  bits        none: this is the description alone\n";
  std::string text = "  fill        " + percent(one.fill, 4) + ", " +
                     planner::spaced(one.bits_set) + " bits set\n";
  text += "  rate now    " + percent(one.rate, 4);
  if (one.rate > 0.0) text += ", " + planner::one_in_text(one.rate);
  text += "\n";
  if (one.keys) {
    text += "  keys        about " + rounded_text(one.keys->keys) + " distinct" +
            interval_text(*one.keys) + "\n";
  }
  return text;
}

std::string inspection_text(const std::string& path, const Inspection& one) {
  std::string around;
  for (const std::string& wrapper : one.wrappers) around += wrapper + ", in it ";
  std::string text = one_line(path + (one.place.empty() ? "" : ", " + one.place) + ": " + around +
                              one.format + (one.version.empty() ? "" : " " + one.version) + ", " +
                              one.layout + ", " + one.hash) +
                     "\n";
  text += "  filter      m = " + planner::spaced(one.m);
  if (one.k != 0) text += ", k = " + std::to_string(one.k);
  if (one.layers > 1) text += ", " + std::to_string(one.layers) + " layers";
  text += "; " + planner::iec_text(one.m, 4) + "\n" + bits_text(one);
  if (one.recorded_keys) {
    text += "  counted     " + planner::spaced(*one.recorded_keys) + " keys, by the file\n";
  }
  if (one.keys_left) {
    text += "  keys left   " + planner::spaced(*one.keys_left) +
            (one.layers > 1
                 ? " until the next layer opens"
                 : " of " + planner::spaced(*one.capacity) + " until " + percent(*one.goal, 3)) +
            "\n";
  }
  if (one.format != "raw") {  // of which the hash is not known
    text += std::string("  merge       ") +
            (one.same_kind.empty() ? "no" : "with filters of the same m, k, hash and seed") + "\n";
  }
  if (one.fold) {
    text += "  fold        to " + planner::spaced(one.fold->m) + " bits: rate " +
            percent(one.fold->rate, 4) + "\n";
  }
  for (const std::string& fault : one.faults) text += "fault: " + one_line(fault) + "\n";
  return text;
}

/// Throws InputError.
std::optional<SaveTarget> save_target(const InspectOptions& options) {
  if (!options.write) {
    if (options.intersection) throw record::InputError("--intersection is for --write alone");
    if (options.force) throw record::InputError("--force is for --write alone");
    return std::nullopt;
  }
  const SaveTarget target{*options.write, options.intersection, options.force};
  check_target(target, options.files);
  return target;
}

std::vector<InspectedFile> inspect_files(const InspectOptions& options, std::optional<double> p,
                                         const std::optional<formats::RawBits>& raw) {
  std::vector<InspectedFile> files;
  std::uintmax_t kept = 0;
  for (const std::string& path : options.files) {
    files.push_back(inspect_file(path, p, options.format.value_or(""), raw));
    InspectedFile& file = files.back();
    if (file.kept) kept += file.kept->bytes().size();
    if (kept > record::max_pipe_bytes) file.kept.reset();
  }
  return files;
}

Json inspected_json(const std::vector<InspectedFile>& files,
                    const std::optional<Together>& together,
                    const std::optional<SaveTarget>& target) {
  Json list = Json::array();
  for (const InspectedFile& file : files) {
    if (!file.error.empty()) {
      list.push_back({{"file", shown(file.path)}, {"error", one_line(file.error)}});
    }
    for (const Inspection& one : file.filters) list.push_back(inspection_json(file.path, one));
  }
  if (together) {
    Json last = together_json(*together);
    last["written"] = target ? Json(shown(target->path)) : Json(nullptr);
    list.push_back(object("together", last));
  }
  return list;
}

std::string inspected_text(const std::vector<InspectedFile>& files,
                           const std::optional<Together>& together,
                           const std::optional<SaveTarget>& target, bool each) {
  std::string text;
  if (together && !each) {
    text = rows_text(*together);
  } else {
    for (const InspectedFile& file : files) {
      for (const Inspection& one : file.filters) text += inspection_text(file.path, one);
    }
  }
  if (together) {
    constexpr std::size_t few_reasons = 3;
    text += together_text(*together, each ? together->apart.size() : few_reasons);
    if (target) {
      text += one_line(target->path) + ": the " +
              (target->intersection ? "intersection" : "union") + " of " +
              planner::spaced(together->filters.size()) + " filters\n";
    }
    return text;
  }
  const auto none =
      std::ranges::find_if(files, [](const InspectedFile& one) { return one.filters.empty(); });
  if (files.size() == 1 || none == files.end()) return text;
  return text + one_line("merge: no, " + none->path + " gave no filter") + "\n";
}

int inspect_all(const InspectOptions& options) {
  std::optional<double> p;
  if (options.fpr) p = planner::parse_probability("--fpr", *options.fpr);
  std::vector<std::string_view> known = formats::format_names();
  known.emplace_back("raw");
  if (options.format && std::ranges::find(known, *options.format) == known.end()) {
    throw record::InputError("--format: unknown format \"" + *options.format + "\"; " +
                             record::suggestion(*options.format, known));
  }
  const std::optional<formats::RawBits> raw = raw_bits(options);
  const std::optional<SaveTarget> target = save_target(options);
  const std::vector<InspectedFile> files = inspect_files(options, p, raw);
  int status = done;
  for (const InspectedFile& file : files) {
    if (!file.error.empty()) {
      status = bad_input;
      std::cerr << "bloomlab: " << one_line(file.error) << '\n';
    }
    for (const Inspection& one : file.filters) {
      if (!one.faults.empty()) status = std::max<int>(status, failed);
    }
  }
  const auto together = together_of(files, options.format.value_or(""), p);
  if (target) save_together(*target, together);
  std::cout << (options.json ? inspected_json(files, together, target).dump(2) + "\n"
                             : inspected_text(files, together, target, options.each));
  return status;
}

}  // namespace

Action add_inspect(CLI::App& parser) {
  auto options = std::make_shared<InspectOptions>();
  parser.add_option("files", options->files, "Saved filters; - reads the standard input")
      ->required();
  parser.add_option("-p,--fpr", options->fpr,
                    "The false-positive rate that they shall keep: how many keys they still take");
  parser.add_option("--format", options->format,
                    "Read as this format; by default it is recognised");
  parser.add_option("-m,--bits", options->bits,
                    "Of --format raw: bits of the array, such as 9600, 1M or 128KiB");
  parser.add_option("-k,--probes", options->probes, "Of --format raw: probes per key, 1 to 256");
  parser.add_option("--offset", options->offset,
                    "Of --format raw: byte at which the array begins (0)");
  parser.add_option("--order", options->order,
                    "Of --format raw: lsb or msb, the bit of a byte that comes first (lsb)");
  parser.add_option("--word", options->word,
                    "Of --format raw: 4 or 8, for big-endian words of so many bytes (1)");
  parser.add_flag("--each", options->each,
                  "Of several filters: show each whole, not in a line of a table");
  parser.add_option("--write", options->write, "Save the union of the filters, in their format");
  parser.add_flag("--intersection", options->intersection,
                  "Of --write: save the bits that all have, not the union");
  parser.add_flag("--force", options->force, "Of --write: replace another file");
  parser.add_flag("--json", options->json,
                  "Print the same as JSON: a list of filters, and last what they are together");
  std::string names;
  for (const std::string_view name : formats::format_names()) names += " " + std::string(name);
  std::string wrappers;
  for (const std::string_view name : formats::wrapper_names) wrappers += " " + std::string(name);
  parser.footer(
      "Formats:" + names + " raw" + "\nOpened, at most two around one another:" + wrappers +
      "\nraw reads bits without a header. Its numbers depend on --order and --word only "
      "where M is no\nmultiple of 8 (of the word): they say which bits lie behind the last."
      "\nSeveral filters are told together: where they are of one kind, and of one size or of "
      "multiples of\nit that fold, their union (\"or\"), its keys, those in more than one, and "
      "their "
      "intersection (\"and\");\nand how many absent keys any of them reports, and all."
      "\nExit status 1 if a filter is saturated, uneven, above its rate, or counts other "
      "keys than its bits;\n2 if a file cannot be read, is damaged or has no filter; the "
      "others are shown. --write ends with 2\nwhere filters cannot be merged.\n"
      "Examples: bloomlab inspect --fpr 1% users.bloom part-0.parquet\n"
      "          bloomlab inspect monday.bloom tuesday.bloom --write both.bloom\n"
      "          bloomlab inspect --format raw --bits 9593 --probes 7 --offset 48 my.bits");
  return [options] { return inspect_all(*options); };
}

}  // namespace bloomlab::cli
