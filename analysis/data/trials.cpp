#include "analysis/data/trials.hpp"

#include <map>
#include <set>
#include <utility>

#include "record/filter_for_rate.hpp"
#include "record/grid.hpp"
#include "record/grid_point.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"

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

std::map<std::string, TrialsOfCell> trials_by_cell(const record::ResultFile& file,
                                                   const std::string& where) {
  std::map<std::string, TrialsOfCell> trials;
  for (const record::Observation& observation : file.observations) {
    const std::string cell = observation.cell.dump();
    if (!trials[cell][observation.trial].insert(observation.step.value_or(0)).second) {
      throw InputError(place(where, cell) + " has trial " + std::to_string(observation.trial) +
                       " twice; run the config again");
    }
  }
  return trials;
}

/// The cells in the order of the file; those of one cell stand together.
std::vector<const Json*> cells_of(const record::ResultFile& file) {
  std::vector<const Json*> cells;
  for (const record::Observation& observation : file.observations) {
    if (cells.empty() || *cells.back() != observation.cell) cells.push_back(&observation.cell);
  }
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
std::string first_lacking(const GridOf& grid, const std::vector<const Json*>& cells,
                          const std::optional<record::ShardName>& shard) {
  std::size_t next = 0;
  std::uint64_t number = 0;
  for (const record::Choice& point : grid.points()) {
    if (shard && number++ % shard->count != shard->index - 1) continue;
    if (next == cells.size() || !record::is_point_of(point.value, *cells[next])) {
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

}  // namespace

void check_trials(const record::ResultFile& file, const std::string& where) {
  const auto wanted = file.config.find("trials");
  if (!says_complete(file.provenance) || wanted == file.config.end() ||
      !wanted->is_number_unsigned()) {
    return;
  }
  const auto count = wanted->get<std::uint64_t>();
  const bool may_stop = file.config.contains("precision");
  for (const auto& [cell, trials] : trials_by_cell(file, where)) {
    if (trials.rbegin()->first >= count) {
      throw InputError(place(where, cell) + " has trial " + std::to_string(trials.rbegin()->first) +
                       " and its config has " + std::to_string(count) +
                       ", counted from 0; run the config again");
    }
    const std::uint64_t missing = first_missing(trials);
    if (missing < (may_stop ? trials.size() : count)) {
      throw InputError(place(where, cell) + " lacks trial " + std::to_string(missing) +
                       "; run the config again");
    }
    for (const auto& [trial, steps] : trials) {
      if (steps == trials.begin()->second) continue;
      throw InputError(place(where, cell) + " has other steps in trial " + std::to_string(trial) +
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
  const std::vector<const Json*> cells = cells_of(file);
  if (cells.size() == wanted) return;
  const std::string counts = ": holds " + std::to_string(cells.size()) + " cells and its config " +
                             (shard ? "gives this shard " : "has ") + std::to_string(wanted);
  const std::string lacking = cells.size() < wanted ? first_lacking(grid, cells, shard) : "";
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
  return "holds " + std::to_string(cells_of(file).size()) + " of " +
         std::to_string(GridOf(file, where).count()) + " cells";
}

}  // namespace bloomlab::analysis
