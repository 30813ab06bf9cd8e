#include "experiments/config/checks.hpp"

#include <algorithm>
#include <concepts>
#include <set>
#include <string>

#include "core/filters/counting.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/experiment.hpp"
#include "experiments/config/cell_memory.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/partial_match.hpp"
#include "record/strict_json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using record::JsonView;

/// The member of an object that is known to be there.
JsonView member_of(const JsonView& object, std::string_view key) {
  for (const auto& [name, view] : object.members()) {
    if (name == key) return view;
  }
  return object;
}

/// A kind that asks a whole universe of keys needs a source that draws from exactly that.
void check_universe(const JsonView& point, const FilterExperiment& kind, const Cell& cell) {
  const auto universe = kind.universe();
  if (!universe) return;
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    if (Source::integer_bytes == universe->key_bytes &&
        Source::supply(parameters) == universe->keys) {
      return;
    }
    member_of(point, "keys")
        .refuse("the kind \"" + std::string(kind.kind()) + "\" asks all " +
                std::to_string(universe->keys) + " keys of a universe, and \"" + cell.source +
                "\" does not draw from one; write {\"source\": \"uniform_32\"}");
  });
}

void check_kind(const JsonView& point, const Config& config, const Cell& cell) {
  const auto* const of_filters = config.experiment->of_filters();
  if (const auto fault = config.experiment->check(cell)) {
    (of_filters == nullptr ? point : member_of(point, "n")).refuse(*fault);
  }
  if (of_filters != nullptr) check_universe(point, *of_filters, cell);
}

/// Parameters of a filter whose counters may run over.
template <class Parameters>
concept WithCounters = requires(const Parameters& p) {
  { p.overflow } -> std::convertible_to<OverflowPolicy>;
};

/// Counters that wrap deny keys that they were given; a kind that asks filters takes that for a
/// defect, and would fail in the middle of its run.
void check_inserted_keys_stay(const JsonView& point, const Config& config, const Cell& cell) {
  bool wraps = false;
  if (cell.filter.empty()) return;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    if constexpr (WithCounters<typename Filter::Parameters>) {
      wraps = parameters.overflow == OverflowPolicy::wrap;
    }
  });
  if (!wraps) return;
  member_of(member_of(point, "filter"), "overflow")
      .refuse(
          "found \"wrap\": counters that wrap deny keys that they were given, and the "
          "kind \"" +
          config.kind +
          "\" takes that for a defect; write \"saturate\" or \"report\", or measure "
          "what is lost by the kind \"counting_overflow\"");
}

/// What a trial of the config is made from, for messages.
std::string parts_of(const Cell& cell) {
  if (cell.filter.empty()) return cell.text();
  std::string text = "keys \"";
  return text.append(cell.source).append("\", hash \"").append(cell.hash).append("\"");
}

void check_redrawn(const JsonView& root, const Config& config, const Cell& cell) {
  if (config.trials == 1 || !cell.redrawn.empty()) return;
  member_of(root, "trials")
      .refuse("found " + std::to_string(config.trials) + ", but in cell " +
              std::to_string(cell.number) + " (" + parts_of(cell) +
              ") a trial draws nothing anew, so that all would be equal; write 1");
}

/// What `read` gives of a key source; its fault is one of the member `path` where there is one.
template <class Read>
auto read_supply(const JsonView& keys, std::string_view path, const Read& read) {
  try {
    return read();
  } catch (const record::InputError& error) {
    if (!keys.json().contains(path)) keys.refuse(error.what());
    const JsonView file = member_of(keys, path);
    file.refuse(record::shown(file.json()) + ": " + error.what() +
                "; a relative path starts from the config's folder");
  }
}

/// Inserted keys come from one file and absent keys from another.
void check_absent_file(const JsonView& keys, const File::Parameters& files, std::uint64_t n,
                       std::uint64_t absent_keys) {
  const std::uint64_t supply = File::supply(files);
  if (n > supply) {
    member_of(keys, "path")
        .refuse("has " + std::to_string(supply) + " distinct lines, but n = " + std::to_string(n) +
                " inserted keys are asked for; lower n");
  }
  const auto absent =
      read_supply(keys, "absent_path", [&] { return File::absent_supply(files, n); });
  if (absent_keys <= absent.usable) return;
  const std::string left_out =
      absent.left_out == 0 ? "" : ", " + std::to_string(absent.left_out) + " more are inserted";
  member_of(keys, "absent_path")
      .refuse("has " + std::to_string(absent.usable) + " distinct lines that are not inserted" +
              left_out + ", but " + std::to_string(absent_keys) +
              " absent keys are asked for; lower queries");
}

void check_supply(const JsonView& point, const Config& config, const Cell& cell) {
  const std::uint64_t absent_keys = config.experiment->of_filters()->absent_keys(cell.n);
  const JsonView keys = member_of(point, "keys");
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    const std::uint64_t supply =
        read_supply(keys, "path", [&] { return Source::supply(parameters); });
    if constexpr (std::is_same_v<Source, File>) {
      if (parameters.absent_path) {
        return check_absent_file(keys, parameters, cell.n, absent_keys);
      }
    }
    if (cell.n <= supply && absent_keys <= supply - cell.n) return;
    keys.refuse("\"" + cell.source + "\" has " + std::to_string(supply) +
                " distinct keys, but n = " + std::to_string(cell.n) + " inserted keys and " +
                std::to_string(absent_keys) + " absent keys are asked for; lower n or queries");
  });
}

void check_memory(const JsonView& point, const Config& config, const Cell& cell,
                  const Machine& machine) {
  const CellMemory memory = cell_memory(config, cell);
  if (memory.total() <= machine.memory_bytes) return;
  const std::string bound = std::string(machine.bound_by) + " " + iec_bytes(machine.memory_bytes);
  const bool filter_is_more = memory.filter_bytes >= memory.key_bytes;
  if (cell.filter.empty()) {
    point.refuse("needs " + iec_bytes(memory.total()) + " of memory; " + bound +
                 "; choose a smaller case");
  }
  member_of(point, filter_is_more ? "filter" : "keys")
      .refuse("needs " + iec_bytes(memory.total()) + " of memory (filter " +
              iec_bytes(memory.filter_bytes) + ", keys " + iec_bytes(memory.key_bytes) + "); " +
              bound + "; choose a smaller filter or fewer keys");
}

/// A member of the cell that is a plain value, as an example of how to name cells: n where it has
/// one.
Json first_member(const Json& cell) {
  if (cell.contains("n")) return {{"n", cell.at("n")}};
  return {{cell.begin().key(), cell.begin().value()}};
}

/// Every pointer into a value but the empty one.
void collect_pointers(const Json& json, const std::string& pointer, std::set<std::string>& found) {
  for (const auto& member : json.items()) {
    const std::string there = record::pointer_to(pointer, member.key());
    found.insert(there);
    if (member.value().is_object()) collect_pointers(member.value(), there, found);
  }
}

}  // namespace

void check_cell(const JsonView& root, const JsonView& point, const Config& config, const Cell& cell,
                const Machine& machine) {
  check_kind(point, config, cell);
  if (is_foreign(cell.filter)) check_foreign_filter(member_of(point, "filter"), cell);
  if (cell.hash == record::command_hash) check_foreign_hash(member_of(point, "hash"), cell);
  check_inserted_keys_stay(point, config, cell);
  check_redrawn(root, config, cell);
  if (!cell.source.empty()) check_supply(point, config, cell);
  check_memory(point, config, cell, machine);
}

void check_shared_across(const JsonView& root, const Config& config) {
  if (config.shared_across.empty()) return;
  std::set<std::string> pointers, seen;
  auto looked_at = config.cells.begin();
  for (const JsonView& entry : member_of(root, "shared_across").elements("shared_across")) {
    const auto text = entry.json().get<std::string>();
    while (!pointers.contains(text) && looked_at != config.cells.end()) {
      collect_pointers((looked_at++)->json(), "", pointers);
    }
    if (!pointers.contains(text)) {
      const std::vector<std::string_view> known(pointers.begin(), pointers.end());
      entry.refuse(record::shown(entry.json()) + " names nothing in any cell; " +
                   record::suggestion(text, known));
    }
    if (!seen.insert(text).second) {
      entry.refuse(record::shown(entry.json()) + " stands twice; keep one of the two");
    }
  }
}

void check_expected_flags(const JsonView& root, const Config& config) {
  for (std::size_t i = 0; i < config.expected_flags.size(); ++i) {
    const Json& partial = config.expected_flags[i].cell;
    const bool matched =
        std::any_of(config.cells.begin(), config.cells.end(),
                    [&](const Cell& cell) { return record::matches(partial, cell.json()); });
    if (matched) continue;
    const auto entries = member_of(root, "expected_flags").elements("expected_flags");
    member_of(entries[i], "cell")
        .refuse(partial.dump() + " matches no cell of the grid; write members of a cell as they " +
                "are after the axes are resolved, such as " +
                first_member(config.cells.front().json()).dump());
  }
}

}  // namespace bloomlab::experiments
