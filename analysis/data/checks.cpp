#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/data/load.hpp"
#include "analysis/data/measurement.hpp"
#include "core/bits/conditional_rate.hpp"
#include "record/cell_seed.hpp"
#include "record/filter_for_rate.hpp"
#include "record/grid.hpp"
#include "record/grid_point.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/names.hpp"
#include "record/sha256.hpp"

namespace bloomlab::analysis {

namespace {

using record::InputError;
using record::Json;

/// The trials of a cell, and the steps that it has of each.
using TrialsOfCell = std::map<std::uint64_t, std::set<std::uint64_t>>;

bool says_complete(const Json& provenance) {
  const auto found = provenance.find("complete");
  return found != provenance.end() && found->is_boolean() && found->get<bool>();
}

std::string place(const std::string& where, const std::string& cell) {
  return where + ": cell " + cell;
}

/// The rows of each cell, by their numbers, in the order of the cells' first rows.
std::vector<std::vector<std::size_t>> rows_by_cell(const record::ResultFile& file) {
  std::vector<std::vector<std::size_t>> rows;
  std::map<record::Sha256, std::size_t> places;
  std::size_t number = 0;
  file.observations.for_each_cell([&](const std::vector<record::Observation>& cell) {
    const auto [place, is_new] =
        places.try_emplace(record::sha256(cell.front().cell.dump()), rows.size());
    if (is_new) rows.emplace_back();
    for (std::size_t i = 0; i < cell.size(); ++i) rows[place->second].push_back(number++);
  });
  return rows;
}

TrialsOfCell trials_of_cell(const record::Observations& all, const std::vector<std::size_t>& rows,
                            const std::string& where) {
  TrialsOfCell trials;
  for (const std::size_t row : rows) {
    const record::Observation observation = all[row];
    if (!trials[observation.trial].insert(observation.step.value_or(0)).second) {
      throw InputError(place(where, observation.cell.dump()) + " has trial " +
                       std::to_string(observation.trial) + " twice; run the config again");
    }
  }
  return trials;
}

/// How many cells there are; those of one cell stand together.
std::uint64_t count_cells(const record::ResultFile& file) {
  std::uint64_t cells = 0;
  file.observations.for_each_cell([&](const auto& /*rows*/) { ++cells; });
  return cells;
}

/// The grid with the place that it has in the result file.
class GridOf {
 public:
  GridOf(const record::ResultFile& file, const std::string& where)
      : origin_{where},
        grid_(record::with_other_filters(file.config.at("grid"))),
        view_(grid_, origin_, "/config/grid") {}

  [[nodiscard]] std::uint64_t count() const { return record::count_choices(view_); }
  [[nodiscard]] std::vector<record::Choice> points() const { return record::choices(view_); }

 private:
  record::Origin origin_;
  record::Json grid_;
  record::JsonView view_;
};

/// Cells of `count` that fall to the shard: those whose number mod N is I - 1.
std::uint64_t share_of(std::uint64_t count, const std::optional<record::ShardName>& shard) {
  if (!shard) return count;
  return count < shard->index ? 0 : (count - shard->index) / shard->count + 1;
}

/// The first point of the grid (of the shard) that is not the file's next cell.
std::string first_lacking(const GridOf& grid, const record::ResultFile& file,
                          const std::optional<record::ShardName>& shard) {
  std::vector<Json> cells;
  file.observations.for_each_cell(
      [&](const std::vector<record::Observation>& rows) { cells.push_back(rows.front().cell); });
  std::size_t next = 0;
  std::uint64_t number = 0;
  for (const record::Choice& point : grid.points()) {
    if (shard && number++ % shard->count != shard->index - 1) continue;
    if (next == cells.size() || !record::is_point_of(point.value, cells[next])) {
      return point.value.dump();
    }
    ++next;
  }
  return "";
}

bool has_whole_grid(const record::ResultFile& file) {
  return file.config.contains("grid") && !file.provenance.contains("peers");
}

/// The first number from 0 that is not a trial of the cell.
std::uint64_t first_missing(const TrialsOfCell& trials) {
  std::uint64_t number = 0;
  while (trials.contains(number)) ++number;
  return number;
}

using record::Observation;

[[noreturn]] void refuse_origin(const std::string& where, const std::string& fault) {
  throw record::InputError(where + ": " + fault + "; run the config again");
}

/// The pointers of `shared_across`; none where the config has no such key.
std::vector<std::string> shared_pointers(const Json& config, const std::string& where) {
  std::vector<std::string> pointers;
  const auto shared = config.find("shared_across");
  if (shared == config.end()) return pointers;
  for (const Json& pointer : *shared) {
    if (!pointer.is_string() || !pointer.get<std::string>().starts_with('/') ||
        pointer.get<std::string>().find('~') != std::string::npos) {
      refuse_origin(where, "/config/shared_across: found " + pointer.dump() +
                               ", allowed: pointers into a cell such as \"/filter/k\"");
    }
    pointers.push_back(pointer.get<std::string>());
  }
  return pointers;
}

std::optional<std::uint64_t> seed_of_config(const Json& config, const std::string& where) {
  const auto seed = config.find("seed");
  if (seed == config.end()) return std::nullopt;
  if (const auto value = as_count(*seed)) return value;
  refuse_origin(where, "/config/seed: found " + seed->dump() + ", allowed: a whole number >= 0");
}

/// Checks observations one after the other; those of one cell stand together mostly.
class OriginCheck {
 public:
  OriginCheck(const record::ResultFile& file, const std::string& where)
      : where_(where),
        grid_(file.config.value("grid", Json())),
        shared_(shared_pointers(file.config, where)),
        seed_(seed_of_config(file.config, where)) {}

  void operator()(const Observation& observation) {
    if (cell_ != observation.cell) enter(observation.cell);
    if (!seed_) return;
    if (observation.group != group_) {
      refuse_origin(where_, place(observation) + ": group \"" + observation.group +
                                "\" does not follow from the cell");
    }
    if (observation.seed != record::trial_seed(*seed_, seed_text_, observation.trial)) {
      refuse_origin(where_, place(observation) + ": seed " + std::to_string(observation.seed) +
                                " does not follow from the cell and the config's seed " +
                                std::to_string(*seed_));
    }
  }

 private:
  void enter(const Json& cell) {
    if (!record::is_point_of(grid_, cell)) {
      refuse_origin(where_, "cell " + cell.dump() + " is not in the grid of its config");
    }
    cell_ = cell;
    seed_text_ = record::seed_text_of(cell, shared_);
    group_ = record::group_of(seed_text_);
  }

  static std::string place(const Observation& observation) {
    return "cell " + observation.cell.dump() + ", trial " + std::to_string(observation.trial);
  }

  const std::string& where_;
  Json grid_;
  std::vector<std::string> shared_;
  std::optional<std::uint64_t> seed_;
  Json cell_;  // of the observation before
  std::string seed_text_;
  std::string group_;
};

/// Whether keys, lists or filters may come from files, whose bytes are part of the digest and not
/// of the result.
bool reads_files(const Json& json) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (key == "command" || key == "list" || key.ends_with("path")) return true;
    }
  }
  return json.is_structured() && std::any_of(json.begin(), json.end(), reads_files);
}

/// The digest that the run wrote down beside the config that it read.
void check_digest(const record::ResultFile& file, const std::string& where) {
  const auto digest = file.provenance.find("config_digest");
  const bool has_own_filters = file.provenance.contains("foreign");  // whose program is part of it
  if (digest == file.provenance.end() || has_own_filters || reads_files(file.config)) return;
  const std::string own =
      record::sha256_hex(record::digested_config(record::without_page(file.config)).dump());
  if (*digest == own) return;
  refuse_origin(where, "/provenance/config_digest: found " + digest->dump() +
                           ", and the config in the file has " + own);
}

using record::Observation;

constexpr std::uint64_t longest_time = 1'000'000'000'000'000'000;

/// Filters whose rate is that of one array of m bits, of which each probe meets any.
constexpr std::array<std::string_view, 4> one_array = {"standard", "compressed", "counting",
                                                       "spectral"};

class Recheck {
 public:
  Recheck(const record::ResultFile& file, const std::string& where) : where_(where) {
    const std::string kind = word_at(file.config, "/kind");
    if (kind == "false_positive_rate" || kind == "growth") {
      queries_ = as_count(value_at(file.config, "/queries"));
    }
  }

  void operator()(const Observation& observation) {
    if (cell_ != observation.cell) {
      cell_ = observation.cell;
      cell_text_ = cell_.dump();
    }
    place_ = where_ + ": " + record::place_of(observation, cell_text_) + ": ";
    check_timing(observation.timing);
    const Json& measured = observation.measured;
    if (queries_) check_queries(measured);
    check_rate(observation.cell, measured);
    if (measured.contains("layer_bits")) {
      check_layers(measured, "layer_bits", "bits");
      check_layers(measured, "layer_bits_set", "bits_set");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& member, const std::string& fault) const {
    throw record::InputError(place_ + member + ": " + fault + "; run the config again");
  }

  void check_timing(const Json& timing) const {
    for (const auto& [name, value] : timing.items()) {
      const auto sound = [](const Json& one) {
        const auto time = as_count(one);
        return time && *time <= longest_time;
      };
      const bool holds =
          value.is_array() ? std::all_of(value.begin(), value.end(), sound) : sound(value);
      if (holds) continue;
      refuse("/timing/" + name,
             "found " + short_text(value) + ", allowed: whole numbers from 0 to 10^18");
    }
  }

  void check_queries(const Json& measured) const {
    const auto hits = as_count(value_at(measured, "/false_positives"));
    const auto misses = as_count(value_at(measured, "/true_negatives"));
    if (!hits || !misses || (*hits <= *queries_ && *misses == *queries_ - *hits)) return;
    refuse("/measured", std::to_string(*hits) + " false positives and " + std::to_string(*misses) +
                            " true negatives are not the config's " + std::to_string(*queries_) +
                            " queries");
  }

  void check_rate(const Json& cell, const Json& measured) const {
    const std::string kind = word_at(cell, "/filter/kind");
    const auto m = as_count(value_at(cell, "/filter/m"));
    const auto k = as_count(value_at(cell, "/filter/k"));
    if (!m || !k || std::find(one_array.begin(), one_array.end(), kind) == one_array.end()) return;
    const auto bits = as_count(value_at(measured, "/bits"));
    const auto set = as_count(value_at(measured, "/bits_set"));
    const Json rate = value_at(measured, "/conditional_rate");
    if (!bits || !set || !rate.is_number()) return;
    if (*bits != *m) {
      refuse("/measured/bits",
             "found " + std::to_string(*bits) + ", and the cell's m is " + std::to_string(*m));
    }
    const double own = conditional_rate(*set, *bits, *k);
    if (std::abs(rate.get<double>() - own) <= 1e-12 * own) return;
    refuse("/measured/conditional_rate", "found " + rate.dump() + ", and " + std::to_string(*set) +
                                             " set bits of " + std::to_string(*bits) + " give " +
                                             Json(own).dump());
  }

  void check_layers(const Json& measured, const std::string& list, const std::string& total) const {
    const Json layers = value_at(measured, "/" + list);
    const auto count = as_count(value_at(measured, "/layers"));
    const auto whole = as_count(value_at(measured, "/" + total));
    if (!count || !whole) return;
    std::uint64_t sum = 0;
    for (const Json& one : layers) sum += as_count(one).value_or(0);
    if (layers.size() == *count && sum == *whole) return;
    refuse("/measured/" + list, std::to_string(layers.size()) + " layers with the sum " +
                                    std::to_string(sum) + ", and there are " +
                                    std::to_string(*count) + " layers with " +
                                    std::to_string(*whole) + " " + total);
  }

  static std::string short_text(const Json& value) {
    constexpr std::size_t longest = 60;
    const std::string text = value.dump();
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
  }

  const std::string& where_;
  std::optional<std::uint64_t> queries_;
  Json cell_;  // of the observation before
  std::string cell_text_;
  std::string place_;
};

bool is_size(const Json& value) {
  if (value.is_array()) return std::all_of(value.begin(), value.end(), is_size);
  return value.is_number() && value.get<double>() >= 0.0;
}

/// What is counted is a number from 0, or a list of them, but for the members that are texts, a
/// filter, or say that a filter from outside draws numbers of its own or that the build lacks a
/// peer.
void check_types(const Observation& observation, const std::string& where) {
  static constexpr std::array<std::string_view, 11> texts = {
      "status",   "reason", "stopped_by", "implementation", "control",     "probe",
      "contents", "class",  "layout",     "named",          "second_named"};
  for (const auto& [name, value] : observation.measured.items()) {
    const bool is_text = std::find(texts.begin(), texts.end(), name) != texts.end();
    const bool is_truth = name == "nondeterministic" || name == "available";
    const bool holds = is_text            ? value.is_string() || value.is_null()
                       : name == "filter" ? value.is_object()
                       : is_truth         ? value.is_boolean()
                                          : is_size(value);
    if (holds) continue;
    throw InputError(place(where, observation.cell.dump()) + " has in /measured/" + name +
                     " what is no count: " + record::shown(value) + "; run the config again");
  }
}

}  // namespace

void check_trials(const record::ResultFile& file, const std::string& where) {
  const auto wanted = file.config.find("trials");
  if (!says_complete(file.provenance) || wanted == file.config.end() ||
      !wanted->is_number_unsigned()) {
    return;
  }
  const auto count = wanted->get<std::uint64_t>();
  const bool may_stop = file.config.contains("precision");
  for (const std::vector<std::size_t>& rows : rows_by_cell(file)) {
    const TrialsOfCell trials = trials_of_cell(file.observations, rows, where);
    const auto of_cell = [&] { return place(where, file.observations[rows.front()].cell.dump()); };
    if (trials.rbegin()->first >= count) {
      throw InputError(of_cell() + " has trial " + std::to_string(trials.rbegin()->first) +
                       " and its config has " + std::to_string(count) +
                       ", counted from 0; run the config again");
    }
    const std::uint64_t missing = first_missing(trials);
    if (missing < (may_stop ? trials.size() : count)) {
      throw InputError(of_cell() + " lacks trial " + std::to_string(missing) +
                       "; run the config again");
    }
    for (const auto& [trial, steps] : trials) {
      if (steps == trials.begin()->second) continue;
      throw InputError(of_cell() + " has other steps in trial " + std::to_string(trial) +
                       " than in trial 0; run the config again");
    }
  }
}

void check_cells(const record::ResultFile& file, const std::string& where,
                 const std::optional<record::ShardName>& shard) {
  const bool claims_less = file.provenance.contains("complete") && !says_complete(file.provenance);
  if (!has_whole_grid(file) || claims_less) return;
  const GridOf grid(file, where);
  const std::uint64_t wanted = share_of(grid.count(), shard);
  const std::uint64_t cells = count_cells(file);
  if (cells == wanted) return;
  const std::string counts = ": holds " + std::to_string(cells) +
                             (cells == 1 ? " cell" : " cells") + " and its config " +
                             (shard ? "gives this shard " : "has ") + std::to_string(wanted);
  const std::string lacking = cells < wanted ? first_lacking(grid, file, shard) : "";
  throw InputError(where + counts +
                   (lacking.empty() ? "" : "; the first that lacks is " + lacking) +
                   "; run the config again");
}

std::optional<std::string> unfinished_part(const record::ResultFile& file,
                                           const std::string& where) {
  if (!has_whole_grid(file) || !file.provenance.contains("complete") ||
      says_complete(file.provenance)) {
    return std::nullopt;
  }
  const std::uint64_t held = count_cells(file);
  const std::uint64_t count = GridOf(file, where).count();
  if (held == count) {
    throw InputError(where + ": /provenance/complete: found false, and all " +
                     std::to_string(count) + " cells are there; run the config again with --force");
  }
  return "holds " + std::to_string(held) + " of " + std::to_string(count) + " cells";
}

void check_origin(const record::ResultFile& file, const std::string& where) {
  if (!file.config.contains("grid") || file.provenance.contains("peers")) return;
  check_digest(file, where);
  OriginCheck check(file, where);
  for (const Observation& observation : file.observations) check(observation);
}

void check_recomputed(const record::ResultFile& file, const std::string& where) {
  for (const Observation& observation : file.observations) check_types(observation, where);
  if (file.provenance.contains("peers")) return;
  Recheck check(file, where);
  for (const Observation& observation : file.observations) check(observation);
}

}  // namespace bloomlab::analysis
