// bloomlab export: a filter of keys as another program writes it, to be loaded there.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cli/command.hpp"
#include "cli/inspect/together.hpp"
#include "core/filters/capacity.hpp"
#include "core/filters/split_block.hpp"
#include "formats/foreign_filter.hpp"
#include "formats/inspection.hpp"
#include "planner/plan.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

struct ExportOptions {
  std::string format, keys, out;
  std::optional<std::string> items, fpr, bits, probes;
  bool force = false;
};

struct ExportSize {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
};

ExportSize size_of(const ExportOptions& options, std::uint64_t keys) {
  const bool blocks = options.format == "parquet";
  if (options.bits) {
    if (!blocks && !options.probes) {
      throw record::InputError("export: --bits is given without --probes; give both, or --fpr");
    }
    const std::uint64_t m = planner::parse_bits("--bits", *options.bits, max_filter_bits);
    return {m, options.probes ? planner::parse_count("--probes", *options.probes, "probes", 255)
                              : std::uint64_t{8}};
  }
  if (!options.fpr) {
    throw record::InputError("export: give --fpr P, or --bits M and --probes K");
  }
  const double p = planner::parse_probability("--fpr", *options.fpr);
  const std::uint64_t n =
      options.items ? planner::parse_count("--items", *options.items, "keys") : keys;
  if (blocks) {
    return {formats::bits_of_format(options.format, parameters_for<SplitBlock>(n, p).m), 8};
  }
  const planner::Plan plan = planner::plan({.n = n, .p = p});
  return {formats::bits_of_format(options.format, plan.m), plan.k};
}

/// The lines of a file of keys, which is gone through twice: a pipe, which cannot, is kept.
class KeyLines {
 public:
  /// Throws InputError for a file that cannot be read.
  explicit KeyLines(const std::string& path) : path_(path) {
    try {
      if (!std::filesystem::is_regular_file(path)) piped_ = record::read_input(path);
    } catch (const record::InputError& reason) {
      refuse(reason.what());
    } catch (const std::filesystem::filesystem_error& fault) {
      refuse(fault.code().message());
    }
  }
  /// Calls key(line) for every line.
  template <class Key>
  void for_each(Key&& key) const {
    if (piped_) {
      std::istringstream lines(*piped_);
      return read(lines, key);
    }
    std::ifstream lines(path_);
    if (!lines) refuse(std::strerror(errno));
    read(lines, key);
  }

 private:
  template <class Key>
  static void read(std::istream& lines, Key& key) {
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) key(line);
    }
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw record::InputError("--keys: " + path_ + ": " + reason +
                             "; give a file of one key a line");
  }

  std::string path_;
  std::optional<std::string> piped_;
};

int export_filter(const ExportOptions& options) {
  if (std::ranges::find(formats::written_formats(), options.format) ==
      formats::written_formats().end()) {
    throw record::InputError("export: unknown format \"" + options.format + "\"; " +
                             record::suggestion(options.format, formats::written_formats()));
  }
  const SaveTarget target{
      .path = options.out, .force = options.force, .option = "--out", .inputs = "the file of keys"};
  check_target(target, {options.keys});
  std::uint64_t keys = 0;
  const KeyLines lines(options.keys);
  lines.for_each([&](const std::string&) { ++keys; });
  if (keys == 0) throw record::InputError("--keys: " + options.keys + " has no key; one a line");
  std::unique_ptr<formats::ForeignFilter> filter;
  try {
    const ExportSize size = size_of(options, keys);
    filter = formats::make_foreign(options.format, size.m, size.k);
  } catch (const std::invalid_argument& error) {
    throw record::InputError(std::string("export: ") + error.what());
  }
  lines.for_each([&](const std::string& line) { filter->insert(line); });
  const std::vector<std::byte> bytes = filter->bytes();
  save_bytes(target, bytes);
  const formats::Inspection found =
      formats::inspect({.format = options.format, .layers = {filter->bits()}}, std::nullopt);
  std::cout << options.out << ": " << options.format << ", m = " << planner::spaced(found.m)
            << ", k = " << found.k << ", " << planner::spaced(keys) << " keys, rate "
            << percent(found.rate, 4) << '\n';
  return done;
}

}  // namespace

Action add_export(CLI::App& parser) {
  auto options = std::make_shared<ExportOptions>();
  parser.add_option("format", options->format, "guava, bits_and_blooms (Go) or parquet")
      ->required();
  parser.add_option("--keys", options->keys, "File of one key a line, inserted as its bytes")
      ->required();
  parser.add_option("-o,--out", options->out, "File to write")->required();
  parser.add_option("-p,--fpr", options->fpr, "False-positive rate that it shall keep");
  parser.add_option("-n,--items", options->items,
                    "Distinct keys that it shall take; default: the lines of the file");
  parser.add_option("-m,--bits", options->bits, "Size in bits, instead of --fpr");
  parser.add_option("-k,--probes", options->probes, "Probes per key, with --bits");
  parser.add_flag("--force", options->force, "Of --out: replace another file");
  parser.footer(
      "Loaded by BloomFilter.readFrom(in, Funnels.stringFunnel(UTF_8)) in Guava, ReadFrom in Go, "
      "and\nas the filter of a column of texts at its bloom_filter_offset in Parquet.\n"
      "Example: bloomlab export guava --keys names.txt --fpr 1% --out names.bloom");
  return [options] { return export_filter(*options); };
}

}  // namespace bloomlab::cli
