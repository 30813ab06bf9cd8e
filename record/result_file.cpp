#include "record/result_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <new>
#include <string_view>

#include "record/atomic_file.hpp"
#include "record/columns.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/names.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::record {
namespace {

constexpr std::string_view digested_format = "bloomlab-result-1";  // retired but for digests
constexpr std::string_view format_name = "bloomlab-result-2";
constexpr std::uintmax_t largest_result_bytes = std::uintmax_t{8} << 30;
constexpr std::uint64_t any_integer = std::numeric_limits<std::uint64_t>::max();

constexpr std::array<std::string_view, 6> file_keys = {"format",     "config",   "pages",
                                                       "provenance", "checksum", "cells"};
constexpr std::array<std::string_view, 8> observation_keys = {
    "cell", "group", "trial", "step", "seed", "redrawn", "measured", "timing"};

std::uint64_t integer_at(const ObjectReader& reader, std::string_view key, std::string_view meaning,
                         std::uint64_t min) {
  return reader.at(key, meaning).integer({key, "", meaning, min, any_integer});
}

Observation read_observation(const JsonView& view) {
  const ObjectReader reader(view, "an observation", observation_keys);
  Observation observation;
  observation.cell = reader.object("cell", "the resolved cell");
  observation.group = reader.at("group", "16 hex digits").text({"group", "16 hex digits"});
  observation.trial = integer_at(reader, "trial", "number of the trial", 0);
  if (reader.has("step")) observation.step = integer_at(reader, "step", "number of the step", 1);
  observation.seed = integer_at(reader, "seed", "seed of the trial", 0);
  observation.redrawn = redrawn_in(reader);
  observation.measured = reader.object("measured", "counts");
  observation.timing = reader.object("timing", "durations");
  return observation;
}

/// Throws InputError for a file of another format, whose keys may be others too.
void check_format(const JsonView& file) {
  for (const auto& [key, format] : file.members()) {
    if (key != "format" || format.json() == format_name) continue;
    std::string fault = "found ";
    fault += shown(format.json());
    fault += format.json() == digested_format ? "; this version no longer reads it, only \""
                                              : "; this version reads \"";
    fault += format_name;
    format.refuse(fault + "\"; run the config again");
  }
}

/// Throws InputError where the file says of itself neither that it is complete nor that it is not.
void check_complete(const JsonView& provenance) {
  for (const auto& [key, complete] : provenance.members()) {
    if (key != "complete" || complete.json().is_boolean()) continue;
    complete.refuse("found " + shown(complete.json()) +
                    "; true or false is allowed; run the config again");
  }
}

/// Throws RunError where a number is not finite: JSON has none, and the library writes null.
void check_finite(const Json& json, const std::filesystem::path& path) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    throw RunError(path.string() + ": a number to be written is not finite; nothing was written");
  }
  if (json.is_structured()) {
    for (const Json& member : json) check_finite(member, path);
  }
}

/// The cells as they are written, one after the other, and the digest of all.
class CellLines {
 public:
  std::string next(const Json& cell) {
    std::string line = is_first_ ? "" : ",\n";
    is_first_ = false;
    line += cell.dump();
    digest_.add(line);
    return line;
  }
  [[nodiscard]] std::string digest() { return hex_of(digest_.digest()); }

 private:
  bool is_first_ = true;
  Sha256Stream digest_;
};

/// Reads the cells of a file one by one. A fault of theirs waits until the checksum is known.
class CellReader {
 public:
  CellReader(const Origin& origin, const std::function<void(std::vector<Observation>)>& use)
      : origin_(origin), use_(use) {}

  /// Reads a cell, where what stands before it says how; false where it does not.
  bool read(const Json& file, const Json& cell, std::size_t number) {
    const auto format = file.find("format");
    const auto config = file.find("config");
    if (format == file.end() || *format != format_name || config == file.end() || number != read_) {
      return false;
    }
    read_one(*config, cell);
    return true;
  }
  /// Reads the cells that were not.
  void read_kept(const Json& file) {
    const Json& cells = file.at("cells");
    while (read_ < cells.size()) read_one(file.at("config"), cells[read_]);
  }
  [[nodiscard]] std::string digest() { return lines_.digest(); }
  void throw_fault() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  void read_one(const Json& config, const Json& cell) {
    static_cast<void>(lines_.next(cell));
    const std::size_t number = read_++;
    if (fault_) return;
    try {
      use_(observations_of(cell, number, origin_, config));
    } catch (const std::bad_alloc&) {
      throw RunError(origin_.file +
                     ": takes more memory than there is; read it where there is more");
    } catch (const InputError&) {
      fault_ = std::current_exception();
    }
  }

  const Origin& origin_;
  const std::function<void(std::vector<Observation>)>& use_;
  CellLines lines_;
  std::size_t read_ = 0;
  std::exception_ptr fault_;
};

Json without_timing(const Observation& observation) {
  Json json = to_json(observation);
  json["cell"] = digested_cell(observation.cell);
  json["measured"] = digested_counts(json["measured"]);
  json.erase("timing");
  return json;
}

}  // namespace

Json to_json(const Observation& observation) {
  Json json = {
      {"cell", observation.cell}, {"group", observation.group}, {"trial", observation.trial}};
  if (observation.step) json["step"] = *observation.step;
  json["seed"] = observation.seed;
  json["redrawn"] = observation.redrawn;
  json["measured"] = observation.measured.is_null() ? Json::object() : observation.measured;
  json["timing"] = observation.timing.is_null() ? Json::object() : observation.timing;
  return json;
}

Observation observation_from_json(const Json& json, const std::string& where) {
  const Origin origin{where};
  return read_observation(JsonView(json, origin));
}

ResultFile read_result_file(const std::filesystem::path& path) {
  Observations all;
  ResultFile file = read_result_file(path, [&](const std::vector<Observation>& rows) {
    for (const Observation& row : rows) all.push_back(row);
  });
  file.observations = std::move(all);
  return file;
}

ResultFile read_result_file(const std::filesystem::path& path,
                            const std::function<void(std::vector<Observation>)>& use) {
  const std::string text = read_text(path, largest_result_bytes);
  const Origin origin{path.string()};
  CellReader cells(origin, use);
  const Json json = parse_json(
      text, origin.file, {"cells", [&](const auto&... of_cell) { return cells.read(of_cell...); }});
  if (json.is_object() && json.contains("$schema") && !json.contains("cells")) {
    throw InputError(path.string() + ": this is a config, no result; `bloomlab run " +
                     shell_word(path.string()) + " --out DIR` measures it, then name DIR");
  }
  const JsonView view(json, origin);
  check_format(view);
  const ObjectReader reader(view, "a result file", file_keys);
  static_cast<void>(reader.at("format", "name of the format"));
  ResultFile file;
  file.config = reader.object("config", "the config, verbatim");
  file.provenance = reader.object("provenance", "where the results come from");
  check_complete(reader.at("provenance", ""));
  if (reader.has("pages")) {
    for (const auto& [name, page] : reader.at("pages", "texts by name").members()) {
      file.pages[name] = page.text({"pages", "the text of a page"});
    }
  }
  const JsonView entries = reader.at("cells", "one entry a cell");
  const JsonView sum = reader.at("checksum", "SHA-256 of the cells");
  if (!entries.json().is_array()) {
    entries.refuse("found " + shown(entries.json()) + "; cells must be an array");
  }
  cells.read_kept(json);
  if (sum.json() != cells.digest()) {
    sum.refuse(
        "the cells are not those that were written; restore the file, or measure again "
        "with `bloomlab run --force`");
  }
  cells.throw_fault();
  return file;
}

void write_result_file(const std::filesystem::path& path, const ResultFile& file) {
  write_result_file(path, file, [&](const UseRows& use) { file.observations.for_each_cell(use); });
}

void write_result_file(const std::filesystem::path& path, const ResultFile& file,
                       const std::function<void(const UseRows&)>& each_cell) {
  check_finite(file.config, path);
  check_finite(file.provenance, path);
  std::string head =
      "{\n\"format\": \"" + std::string(format_name) + "\",\n\"config\": " + file.config.dump(1);
  if (!file.pages.empty()) head += ",\n\"pages\": " + Json(file.pages).dump(1);
  head += ",\n\"provenance\": " + file.provenance.dump(1) + ",\n\"checksum\": \"";
  const std::size_t checksum = head.size();
  head += hex_of(Sha256{}) + "\",\n\"cells\": [\n";
  write_atomically(path, [&](TextSink& sink) {
    sink.add(head);
    // One cell a line: a file of a megabyte that tools and differences can still handle.
    CellLines lines;
    each_cell([&](const std::vector<Observation>& rows) {
      for_each_entry(rows, file.config, [&](const Json& cell) {
        check_finite(cell, path);
        sink.add(lines.next(cell));
      });
    });
    sink.add("\n]\n}\n");
    sink.write_over(checksum, lines.digest());
  });
}

std::string place_of(const Observation& observation, const std::string& cell_text) {
  std::string place = "cell " + cell_text + ", trial " + std::to_string(observation.trial);
  if (observation.step) place += ", step " + std::to_string(*observation.step);
  return place;
}

Json without_page(Json config) {
  if (config.is_object()) config.erase("page");
  return config;
}

bool is_repeatable(const Observation& observation) {
  return !observation.measured.contains("nondeterministic");
}

std::string canonical_text(const ResultFile& file) {
  const Json head = {{"format", digested_format},
                     {"config", digested_config(without_page(file.config))}};
  std::string text = head.dump();
  text.back() = ',';  // where the object would end
  text += "\"observations\":[";
  bool is_first = true;
  for (const Observation& observation : file.observations) {
    if (!is_repeatable(observation)) continue;
    text.append(is_first ? "" : ",").append(without_timing(observation).dump());
    is_first = false;
  }
  text += "]}\n";
  return text;
}

}  // namespace bloomlab::record
