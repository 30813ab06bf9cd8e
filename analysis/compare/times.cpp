#include "analysis/compare/times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/compare/noise_floor.hpp"
#include "analysis/exhibits/speed_rows.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

namespace thresholds = statistics::thresholds;
using Launched = std::vector<double>;

std::vector<double> logarithms(const Launched& values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::log(value));
  return result;
}

bool all_positive(const Launched& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// The rows of both files for the cells that both have.
struct RowPair {
  const SpeedRow* first;
  const SpeedRow* second;
};

std::vector<RowPair> row_pairs(const SpeedRun& first, const SpeedRun& second) {
  std::map<nlohmann::json, const SpeedRow*> after;
  for (const SpeedRow& row : second.rows) after.emplace(row.cell, &row);
  std::vector<RowPair> pairs;
  for (const SpeedRow& row : first.rows) {
    const auto twin = after.find(row.cell);
    if (twin != after.end()) pairs.push_back({&row, twin->second});
  }
  return pairs;
}

TimeDifference tested_difference(const std::string& stem, const Json& cell, const std::string& name,
                                 const Launched& first, const Launched& second) {
  const auto before = logarithms(first);
  const auto after = logarithms(second);
  const statistics::RankComparison ranks = statistics::compare_durations(after, before);
  const statistics::Interval shift =
      statistics::shift_interval(after, before, thresholds::interval_level);
  return {.stem = stem,
          .cell = cell,
          .name = name,
          .first_launches = first.size(),
          .second_launches = second.size(),
          .first_ns = statistics::median(first),
          .second_ns = statistics::median(second),
          .ratio = std::exp(ranks.shift),
          .interval = {std::exp(shift.low), std::exp(shift.high)},
          .p_value = ranks.p_value};
}

/// One duration of many cells, a list of launches each.
struct ManyCells {
  std::vector<Launched> first;
  std::vector<Launched> second;
};

bool are_as_many(const std::vector<Launched>& lists) {
  return std::all_of(lists.begin(), lists.end(), [&](const Launched& launches) {
    return launches.size() == lists.front().size();
  });
}

/// Geometric means over the cells, launch by launch: cells take turns, so that the launches of one
/// number ran close to each other.
Launched means_over_cells(const std::vector<Launched>& lists) {
  Launched means;
  for (std::size_t i = 0; i < lists.front().size(); ++i) {
    double sum = 0.0;
    for (const Launched& launches : lists) sum += std::log(launches[i]);
    means.push_back(std::exp(sum / static_cast<double>(lists.size())));
  }
  return means;
}

/// The test of all cells together, where each has as many launches.
void add_together(const std::string& stem, const std::map<std::string, ManyCells>& cells,
                  double machine, std::vector<TimeDifference>& tested) {
  for (const auto& [name, many] : cells) {
    if (many.first.size() < 2 || !are_as_many(many.first) || !are_as_many(many.second)) continue;
    const Launched first = means_over_cells(many.first);
    const Launched second = means_over_cells(many.second);
    TimeDifference difference = tested_difference(stem, Json(), name, first, second);
    difference.noise_floor =
        std::max(noise_floor(half_ratios(std::vector<Launched>{first, second})), machine);
    tested.push_back(std::move(difference));
  }
}

bool enough_launches(const Launched& values) {
  return static_cast<double>(values.size()) >= thresholds::comparison_launches;
}

TimeFindings launched_findings(const FilePair& files) {
  const auto run_of = [](const ResultSet& set) {
    return speed_run(set.file.config, set.file.observations, set.place());
  };
  const SpeedRun before = run_of(*files.first);
  const SpeedRun after = run_of(*files.second);
  TimeFindings findings;
  std::map<std::string, std::vector<double>> noise;
  std::map<std::string, ManyCells> cells;
  for (const RowPair& rows : row_pairs(before, after)) {
    for (const auto& [name, time] : rows.first->times) {
      const auto twin = rows.second->times.find(name);
      if (twin == rows.second->times.end()) continue;
      const Launched& first = time.launches;
      const Launched& second = twin->second.launches;
      if (!all_positive(first) || !all_positive(second)) continue;
      if (!enough_launches(first) || !enough_launches(second)) {
        findings.indicative[name].push_back(twin->second.value / time.value);
        continue;
      }
      const std::vector<double> ratios = half_ratios(std::vector<Launched>{first, second});
      noise[name].insert(noise[name].end(), ratios.begin(), ratios.end());
      findings.tested.push_back(
          tested_difference(files.stem, rows.first->cell, name, first, second));
      cells[name].first.push_back(first);
      cells[name].second.push_back(second);
    }
  }
  for (const char* loop : {"alu_ns", "line_ns"}) {
    findings.machine = std::max(
        findings.machine,
        bracket_ratio(files.first->file.observations, files.second->file.observations, loop));
  }
  std::vector<double> all;
  for (const auto& [name, ratios] : noise) all.insert(all.end(), ratios.begin(), ratios.end());
  findings.noise_floor = noise_floor(std::move(all));
  for (TimeDifference& difference : findings.tested) {
    difference.noise_floor = std::max(noise_floor(noise.at(difference.name)), findings.machine);
  }
  add_together(files.stem, cells, findings.machine, findings.tested);
  return findings;
}

bool ask_as_much(const FilePair& files) {
  const auto same = [&](const char* key) {
    return files.first->file.config.value(key, Json()) ==
           files.second->file.config.value(key, Json());
  };
  return same("queries") && same("steps");
}

/// The durations of a cell's trials by name, those that are single numbers.
std::map<std::string, std::vector<double>> durations_of(
    const std::vector<const record::Observation*>& trials) {
  constexpr std::string_view unit = "_ns";
  std::map<std::string, std::vector<double>> durations;
  for (const record::Observation* trial : trials) {
    for (const auto& [key, value] : trial->timing.items()) {
      if (!key.ends_with(unit) || !value.is_number() || !(value.get<double>() > 0)) continue;
      durations[key.substr(0, key.size() - unit.size())].push_back(value.get<double>());
    }
  }
  return durations;
}

TimeFindings findings_of_trials(const FilePair& files) {
  TimeFindings findings;
  findings.within_one_process = true;
  if (!ask_as_much(files)) return findings;
  for (const CellPair& pair : files.cells) {
    const auto after = durations_of(pair.second);
    for (const auto& [name, before] : durations_of(pair.first)) {
      const auto twin = after.find(name);
      if (twin == after.end()) continue;
      findings.indicative[name].push_back(statistics::median(twin->second) /
                                          statistics::median(before));
    }
  }
  return findings;
}

}  // namespace

TimeFindings time_findings(const FilePair& files) {
  return is_speed_kind(files.kind) ? launched_findings(files) : findings_of_trials(files);
}

}  // namespace bloomlab::analysis::compare
