#include "experiments/engine/estimate.hpp"

#include <algorithm>
#include <any>
#include <chrono>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "core/catalogue.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/experiment.hpp"
#include "experiments/cells/k_sliced.hpp"
#include "experiments/cells/key_set.hpp"
#include "experiments/engine/unit.hpp"
#include "record/hashes.hpp"
#include "record/partial_match.hpp"

namespace bloomlab::experiments {
namespace {

/// Rough cost of one probe of a filter of that size [ns]: caches, then memory.
double probe_ns(std::uint64_t filter_bytes) {
  constexpr std::uint64_t second_cache = std::uint64_t{1} << 20;
  constexpr std::uint64_t last_cache = std::uint64_t{1} << 25;
  if (filter_bytes <= second_cache) return 1.5;
  return filter_bytes <= last_cache ? 4.0 : 12.0;
}

/// Measured costs of a key of a cell [ns].
struct KeyCost {
  double making_ns = 0.0;  ///< of a text; integers are mostly held, and cheap
  double hash_ns = 0.0;    ///< one evaluation; 0 where the filter takes the key itself
};

/// Of the cell's first keys.
KeyCost key_cost(const Cell& cell) {
  constexpr std::uint64_t most = 4096;
  Cell sample = cell;
  sample.n = std::min(cell.n, most);
  const auto keys = make_keys(sample, 1, 0);
  const bool hashes = !cell.hash.empty() && cell.hash != record::command_hash;
  const Hasher hasher = record::make_hasher(hashes ? cell.hash : "xxhash3_64");
  const auto ns_per_key = [&](const auto& work) {
    double best = std::numeric_limits<double>::max();
    for (int round = 0; round < 3; ++round) {
      const auto start = std::chrono::steady_clock::now();
      work();
      const std::chrono::duration<double, std::nano> elapsed =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, elapsed.count() / static_cast<double>(sample.n));
    }
    return best;
  };
  KeyBuffer buffer;
  KeyBatch batch;
  KeyCost cost;
  cost.making_ns = ns_per_key(
      [&] { batch = keys->inserted_keys(0, static_cast<std::size_t>(sample.n), buffer); });
  if (batch.holds_integers()) cost.making_ns = 2.0;
  if (cell.hash == record::command_hash) cost.hash_ns = 3000.0;  // some microseconds, as in Python
  if (!hashes) return cost;
  DigestBuffer digests;
  cost.hash_ns =
      ns_per_key([&] { static_cast<void>(hasher.digest(batch, 1, DigestNeed{}, digests)); });
  return cost;
}

/// What a key costs that goes as text to a filter of others, one in Python, or to a library in a
/// process of its own; and the start of that [ns].
constexpr double foreign_command_ns = 5000.0;
constexpr double foreign_library_ns = 100.0;
constexpr double foreign_start_ns = 5e7;

/// Whether the cell's filter is a process.
bool is_process(const Cell& cell) { return cell.filter == "command" || cell.filter == "library"; }

/// What one pass over the keys of a slice costs: its last cell has most probes.
struct PassCost {
  double inserted_key_ns = 0.0;  ///< all probes
  double absent_key_ns = 0.0;    ///< the few probes after which an absent key is mostly refused
};

PassCost pass_cost(const Slice& slice, const KeyCost& key, std::uint64_t filter_bytes) {
  constexpr double handing_on_ns = 3.0;
  constexpr double probes_of_a_absent_key = 3.0;
  const Cell& cell = *slice.back();
  if (is_process(cell)) {
    const double key_ns = cell.filter == "command" ? foreign_command_ns : foreign_library_ns;
    return {key_ns, key_ns};
  }
  double evaluations = 1.0;
  double probes = 1.0;
  bool family = false;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    const int k = std::max(1, Filter::probes(parameters, cell.n));
    probes = k;
    if (cell.probe.empty()) return;
    const DigestNeed need = make_probe(cell.probe, cell.reduction).need(k);
    family = need.family;
    const int words_at_once = family ? 1 : record::make_hasher(cell.hash).words();
    evaluations = (need.words + words_at_once - 1) / words_at_once;
  });
  const double one_key_ns = handing_on_ns + key.making_ns;
  const double one_probe_ns = probe_ns(filter_bytes);
  const double few = std::min(probes, probes_of_a_absent_key);
  return {one_key_ns + evaluations * key.hash_ns + probes * one_probe_ns,
          one_key_ns + (family ? few : evaluations) * key.hash_ns + few * one_probe_ns};
}

/// Cost of one trial of a slice [ns]. With steps, the inserted keys so far are asked at each:
/// (steps + 1) / 2 times n in all; and the absent keys at every one.
double trial_ns(const Config& config, const Slice& slice, const PassCost& cost) {
  const FilterExperiment& kind = *config.experiment->of_filters();
  const auto rounds = static_cast<double>(kind.steps());
  const auto absent_keys = static_cast<double>(kind.expected_absent_keys(slice.back()->n));
  const auto n = static_cast<double>(slice.back()->n);
  const double start_ns = is_process(*slice.back()) ? foreign_start_ns : 0.0;
  return start_ns + n * (1.0 + (rounds + 1.0) / 2.0) * cost.inserted_key_ns +
         absent_keys * rounds * cost.absent_key_ns;
}

/// The cells of which the config expects that they are flagged, or may be.
std::vector<const Cell*> cells_expected_flagged(const Config& config) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : config.cells) {
    const record::Json json = cell.json();
    const bool expected = std::ranges::any_of(
        config.expected_flags, [&](const auto& flag) { return record::matches(flag.cell, json); });
    if (expected) cells.push_back(&cell);
  }
  return cells;
}

/// The figures of a config whose grid is the kind's own.
Estimate own_estimate(const Config& config, const OwnGridExperiment& kind) {
  Estimate result{.cells = config.cells.size()};
  for (const Cell& cell : config.cells) {
    result.memory_bytes = std::max(result.memory_bytes, kind.memory_bytes(cell));
    result.seconds += kind.seconds(cell) * static_cast<double>(config.trials);
  }
  return result;
}

/// Lines of second files that are inserted keys too: what each file loses where it loses most.
void note_lines_left_out(const Config& config, std::vector<std::string>& notes) {
  struct Loss {
    std::uint64_t lines = 0, n = 0;
  };
  std::map<std::string, Loss> losses;
  for (const Cell& cell : config.cells) {
    const auto* const files = std::any_cast<File::Parameters>(&cell.key_parameters);
    if (files == nullptr || !files->absent_path) continue;
    const std::uint64_t lines = File::absent_supply(*files, cell.n).left_out;
    Loss& loss = losses[*files->absent_path];
    if (lines > loss.lines) loss = {lines, cell.n};
  }
  for (const auto& [path, loss] : losses) {
    if (loss.lines == 0) continue;
    notes.push_back(
        path + ": " + std::to_string(loss.lines) +
        (loss.lines == 1 ? " line is an inserted key and is" : " lines are inserted keys and are") +
        " left out (n = " + std::to_string(loss.n) + ")");
  }
}

/// Sizes that were rounded up to whole blocks: how many, and the one that grew most.
void note_rounded_sizes(const Config& config, std::vector<std::string>& notes) {
  const auto growth = [](const Cell& cell) {
    return cell.json().at("filter").at("m").get<double>() / static_cast<double>(*cell.asked_bits);
  };
  const Cell* most = nullptr;
  std::uint64_t rounded = 0;
  for (const Cell& cell : config.cells) {
    if (!cell.asked_bits) continue;
    ++rounded;
    if (most == nullptr || growth(cell) > growth(*most)) most = &cell;
  }
  if (most == nullptr) return;
  notes.push_back("in " + std::to_string(rounded) + " of " + std::to_string(config.cells.size()) +
                  " cells m is rounded up to whole blocks, at most from " +
                  std::to_string(*most->asked_bits) + " bits to " +
                  most->json().at("filter").at("m").dump() + " (" + most->filter +
                  ", n = " + std::to_string(most->n) + ")");
}

}  // namespace

CellMemory pass_memory(const Config& config, const Slice& slice) {
  CellMemory memory = cell_memory(config, *slice.back());
  if (is_sliced(config, slice)) {
    const auto m = slice.back()->json().at("filter").at("m").get<std::uint64_t>();
    memory.filter_bytes = KSliced::array_bytes(m);
  }
  return memory;
}

Estimate estimate(const Config& config) {
  if (const auto* const own = config.experiment->of_own_grid()) return own_estimate(config, *own);
  Estimate result{.cells = config.cells.size()};
  std::map<std::string, KeyCost> key_costs;  // by keys and hash
  const auto key_cost_of = [&](const Cell& cell) {
    const auto [entry, is_new] = key_costs.try_emplace(cell.json().at("keys").dump() + cell.hash);
    if (is_new && !is_process(cell)) entry->second = key_cost(cell);
    return entry->second;
  };
  const auto seconds_of = [&](const std::vector<const Cell*>& cells) {
    double total_ns = 0.0;
    for (const Slice& slice : slices_of(config, cells)) {
      const CellMemory memory = pass_memory(config, slice);
      result.memory_bytes = std::max(result.memory_bytes, memory.total());
      const PassCost cost = pass_cost(slice, key_cost_of(*slice.back()), memory.filter_bytes);
      total_ns += trial_ns(config, slice, cost) * static_cast<double>(config.trials);
    }
    return total_ns * 1e-9;
  };
  std::vector<const Cell*> cells;
  for (const Cell& cell : config.cells) cells.push_back(&cell);
  result.seconds = seconds_of(cells);
  result.confirmation_seconds =
      static_cast<double>(confirmation_factor) * seconds_of(cells_expected_flagged(config));
  note_lines_left_out(config, result.notes);
  note_rounded_sizes(config, result.notes);
  return result;
}

}  // namespace bloomlab::experiments
