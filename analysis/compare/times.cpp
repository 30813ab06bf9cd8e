#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/compare/comparison.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

/// A stratum weighs at most this many times what the one of the median variance does: a change of
/// the quietest cell alone is not one of all cells.
constexpr double most_weight = 4.0;

/// A loop that varies by less than this, as a logarithm, tells of rounding alone.
constexpr double least_variation = 1e-6;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Logarithms of both runs, the first's before the second's, less their mean.
std::vector<double> centred_logarithms(const std::vector<double>& first,
                                       const std::vector<double>& second) {
  std::vector<double> values;
  for (const double value : first) values.push_back(std::log(value));
  for (const double value : second) values.push_back(std::log(value));
  const double middle = mean(values);
  for (double& value : values) value -= middle;
  return values;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

using Columns = std::vector<std::vector<double>>;

/// One over the variances of the strata, as far as `most_weight` lets them; equal ones where the
/// median stratum does not vary at all.
std::vector<double> weights_of(const Columns& strata) {
  std::vector<double> variances;
  for (const auto& values : strata) variances.push_back(product(values, values));
  const double least = statistics::median(variances) / most_weight;
  if (!(least > 0)) return std::vector<double>(strata.size(), 1.0);
  std::vector<double> weights;
  for (const double variance : variances) weights.push_back(1.0 / std::max(variance, least));
  return weights;
}

std::vector<double> weighted_means(const Columns& strata, const std::vector<double>& weights) {
  std::vector<double> means(strata.front().size(), 0.0);
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < strata.size(); ++i) {
    for (std::size_t round = 0; round < means.size(); ++round) {
      means[round] += weights[i] / all * strata[i][round];
    }
  }
  return means;
}

bool know_the_loop(std::span<const Stratum> strata) {
  return std::all_of(strata.begin(), strata.end(), [](const Stratum& stratum) {
    return stratum.first.line_ns.size() == stratum.first.ns.size() &&
           stratum.second.line_ns.size() == stratum.second.ns.size();
  });
}

/// What a straight line through the origin makes of the loop's means; both have the mean 0.
std::vector<double> made_of_the_loop(std::span<const Stratum> strata,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& scores) {
  Columns loops;
  for (const Stratum& stratum : strata) {
    loops.push_back(centred_logarithms(stratum.first.line_ns, stratum.second.line_ns));
  }
  std::vector<double> loop = weighted_means(loops, weights);
  const double squares = product(loop, loop);
  const double least = least_variation * least_variation * static_cast<double>(loop.size());
  const double slope = squares > least ? product(loop, scores) / squares : 0.0;
  for (double& value : loop) value *= slope;
  return loop;
}

constexpr std::uint64_t halving_seed = 20211121;
constexpr std::size_t least_to_halve = 4;

double ratio_above_one(double a, double b) { return std::max(a, b) / std::min(a, b); }

/// Hodges and Lehmann's shift of logarithms as a ratio above one.
double shift_ratio(std::span<const double> one, std::span<const double> other) {
  return std::exp(std::abs(statistics::compare_durations(one, other).shift));
}

/// The values in an order that follows from the number of the halving alone.
std::vector<double> shuffled(const std::vector<double>& values, std::uint64_t number) {
  const KeyedPermutation random(halving_seed + number);
  std::vector<std::pair<std::uint64_t, double>> keyed;
  for (std::size_t i = 0; i < values.size(); ++i) keyed.emplace_back(random(i), values[i]);
  std::sort(keyed.begin(), keyed.end());
  std::vector<double> result;
  for (const auto& [key, value] : keyed) result.push_back(value);
  return result;
}

/// Appends what `ratio_of` says of the two halves, for each halving; nothing for too few values.
template <class RatioOf>
void add_halvings(const std::vector<double>& values, std::vector<double>& ratios,
                  RatioOf&& ratio_of) {
  if (values.size() < least_to_halve) return;
  for (std::uint64_t number = 0; number < halvings; ++number) {
    const std::vector<double> order = shuffled(values, number);
    const std::span<const double> all = order;
    const std::size_t half = all.size() / 2;
    ratios.push_back(ratio_of(all.first(half), all.subspan(half)));
  }
}

std::vector<double> loop_durations(const record::Observations& observations, const char* loop) {
  std::vector<double> values;
  for (const record::Observation& observation : observations) {
    const auto found = observation.timing.find(loop);
    if (found == observation.timing.end() || !found->is_array()) continue;
    for (const record::Json& value : *found) {
      if (value.is_number() && value.get<double>() > 0) values.push_back(value.get<double>());
    }
  }
  return values;
}

namespace thresholds = statistics::thresholds;
using Durations = std::vector<double>;  ///< ns per key, one per process run

std::vector<double> logarithms(const Durations& values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::log(value));
  return result;
}

bool all_positive(const Durations& values) {
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

/// What a test of logarithms, durations or scores, says of second over first.
TimeDifference tested_difference(const std::vector<double>& before,
                                 const std::vector<double>& after) {
  const statistics::RankComparison ranks = statistics::compare_durations(after, before);
  const statistics::Interval shift =
      statistics::shift_interval(after, before, thresholds::interval_level);
  TimeDifference difference;
  difference.first_process_runs = before.size();
  difference.second_process_runs = after.size();
  difference.ratio = std::exp(ranks.shift);
  difference.interval = {std::exp(shift.low), std::exp(shift.high)};
  difference.p_value = ranks.p_value;
  return difference;
}

TimeDifference cell_difference(const Durations& first, const Durations& second) {
  TimeDifference difference = tested_difference(logarithms(first), logarithms(second));
  difference.first_ns = statistics::median(first);
  difference.second_ns = statistics::median(second);
  return difference;
}

/// Median over the rounds of one run of the geometric means over its strata.
double typical_round(const std::vector<Stratum>& strata, ProcessRunTimes Stratum::*run) {
  Durations means;
  for (std::size_t round = 0; round < (strata.front().*run).ns.size(); ++round) {
    double sum = 0.0;
    for (const Stratum& stratum : strata) sum += std::log((stratum.*run).ns[round]);
    means.push_back(std::exp(sum / static_cast<double>(strata.size())));
  }
  return statistics::median(means);
}

/// The floor of all cells together: the halves of either run's rounds, random ones and the earlier
/// against the later, the arithmetic loop, and what was taken out of the ratio, for a difference
/// that is smaller may be a fault of that.
double floor_of_rounds(const RoundScores& scores, double arithmetic) {
  const std::vector<std::vector<double>> runs = {scores.first, scores.second};
  return std::max({noise_floor(half_shifts(runs)), drift(runs), arithmetic, scores.explained,
                   1.0 / scores.explained});
}

/// Tests and keeps one or several durations of all cells together, where all have as many process
/// runs.
void add_together(const std::string& name, const std::vector<Stratum>& strata, double arithmetic,
                  std::vector<TimeDifference>& tested) {
  if (strata.size() < 2 || !have_rounds(strata)) return;
  const RoundScores scores = round_scores(strata);
  TimeDifference difference = tested_difference(scores.first, scores.second);
  difference.name = name;
  difference.first_ns = typical_round(strata, &Stratum::first);
  difference.second_ns = typical_round(strata, &Stratum::second);
  difference.explained = scores.explained;
  difference.noise_floor = floor_of_rounds(scores, arithmetic);
  tested.push_back(std::move(difference));
}

/// Strata by the name of the duration, a cell each.
using StrataByName = std::map<std::string, std::vector<Stratum>>;

/// Each duration of all cells together, and all durations of all cells, where there are several.
void add_all_together(const StrataByName& by_name, double arithmetic,
                      std::vector<TimeDifference>& tested) {
  std::vector<Stratum> all;
  for (const auto& [name, strata] : by_name) {
    add_together(name, strata, arithmetic, tested);
    all.insert(all.end(), strata.begin(), strata.end());
  }
  if (by_name.size() > 1) add_together(all_durations, all, arithmetic, tested);
}

bool enough_process_runs(const Durations& values) {
  return static_cast<double>(values.size()) >= thresholds::comparison_process_runs;
}

SpeedRun run_of(const ResultSet& set) {
  return speed_run(set.file.config, set.file.observations, set.place());
}

/// The durations of one pair of rows: judged ones as strata, the others' ratios of medians.
void sort_durations(const RowPair& rows, StrataByName& by_name, TimeFindings& findings) {
  for (const auto& [name, time] : rows.first->times) {
    const auto twin = rows.second->times.find(name);
    if (twin == rows.second->times.end()) continue;
    const Durations& first = time.process_runs;
    const Durations& second = twin->second.process_runs;
    if (!all_positive(first) || !all_positive(second)) continue;
    if (!enough_process_runs(first) || !enough_process_runs(second)) {
      findings.indicative[name].push_back(twin->second.value / time.value);
      continue;
    }
    by_name[name].push_back({{first, rows.first->line_ns}, {second, rows.second->line_ns}});
    findings.tested.push_back(cell_difference(first, second));
    findings.tested.back().cell = rows.first->cell;
    findings.tested.back().name = name;
  }
}

/// Ratios of halves of the process runs of each cell, by the name of the duration.
std::map<std::string, std::vector<double>> noise_of(const StrataByName& by_name) {
  std::map<std::string, std::vector<double>> noise;
  for (const auto& [name, strata] : by_name) {
    for (const Stratum& stratum : strata) {
      const std::vector<double> ratios =
          half_ratios(std::vector<Durations>{stratum.first.ns, stratum.second.ns});
      noise[name].insert(noise[name].end(), ratios.begin(), ratios.end());
    }
  }
  return noise;
}

TimeFindings process_run_findings(const FilePair& files) {
  const SpeedRun before = run_of(*files.first);
  const SpeedRun after = run_of(*files.second);
  TimeFindings findings;
  StrataByName by_name;
  for (const RowPair& rows : row_pairs(before, after)) {
    sort_durations(rows, by_name, findings);
  }
  const auto bracket = [&](const char* loop) {
    return bracket_ratio(files.first->file.observations, files.second->file.observations, loop);
  };
  const double arithmetic = bracket("alu_ns");
  findings.machine = std::max(arithmetic, bracket("line_ns"));
  const auto noise = noise_of(by_name);
  std::vector<double> all;
  for (const auto& [name, ratios] : noise) all.insert(all.end(), ratios.begin(), ratios.end());
  findings.noise_floor = noise_floor(std::move(all));
  for (TimeDifference& difference : findings.tested) {
    difference.noise_floor = std::max(noise_floor(noise.at(difference.name)), findings.machine);
  }
  add_all_together(by_name, arithmetic, findings.tested);
  for (TimeDifference& difference : findings.tested) difference.stem = files.stem;
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

bool have_rounds(std::span<const Stratum> strata) {
  if (strata.empty()) return false;
  const std::size_t first = strata.front().first.ns.size();
  const std::size_t second = strata.front().second.ns.size();
  return first > 0 && second > 0 &&
         std::all_of(strata.begin(), strata.end(), [&](const Stratum& stratum) {
           return stratum.first.ns.size() == first && stratum.second.ns.size() == second;
         });
}

RoundScores round_scores(std::span<const Stratum> strata) {
  Columns columns;
  for (const Stratum& stratum : strata) {
    columns.push_back(centred_logarithms(stratum.first.ns, stratum.second.ns));
  }
  const std::vector<double> weights = weights_of(columns);
  std::vector<double> scores = weighted_means(columns, weights);
  const std::size_t rounds = strata.front().first.ns.size();
  RoundScores result;
  if (know_the_loop(strata)) {
    const std::vector<double> made = made_of_the_loop(strata, weights, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] -= made[i];
    const std::span<const double> all = made;
    result.explained = std::exp(mean(all.subspan(rounds)) - mean(all.first(rounds)));
  }
  const auto second = scores.begin() + static_cast<std::ptrdiff_t>(rounds);
  result.first.assign(scores.begin(), second);
  result.second.assign(second, scores.end());
  return result;
}

std::vector<double> half_ratios(std::span<const std::vector<double>> lists) {
  std::vector<double> ratios;
  for (const std::vector<double>& values : lists) {
    if (values.empty() || !(*std::min_element(values.begin(), values.end()) > 0)) continue;
    add_halvings(values, ratios, [](std::span<const double> one, std::span<const double> other) {
      return ratio_above_one(statistics::median(one), statistics::median(other));
    });
  }
  return ratios;
}

std::vector<double> half_shifts(std::span<const std::vector<double>> lists) {
  std::vector<double> ratios;
  for (const std::vector<double>& scores : lists) {
    add_halvings(scores, ratios, shift_ratio);
  }
  return ratios;
}

double drift(std::span<const std::vector<double>> lists) {
  double largest = 1.0;
  for (const std::vector<double>& scores : lists) {
    if (scores.size() < least_to_halve) continue;
    const std::span<const double> all = scores;
    const std::size_t half = all.size() / 2;
    largest = std::max(largest, shift_ratio(all.first(half), all.subspan(half)));
  }
  return largest;
}

double noise_floor(std::vector<double> ratios) {
  if (ratios.empty()) return 1.0;
  std::sort(ratios.begin(), ratios.end());
  const auto last = static_cast<double>(ratios.size());
  const auto rank =
      static_cast<std::size_t>(std::ceil(statistics::thresholds::noise_quantile * last));
  return ratios[std::clamp<std::size_t>(rank, 1, ratios.size()) - 1];
}

double bracket_ratio(const record::Observations& first, const record::Observations& second,
                     const char* loop) {
  const std::vector<double> before = loop_durations(first, loop);
  const std::vector<double> after = loop_durations(second, loop);
  if (before.empty() || after.empty()) return 1.0;
  return ratio_above_one(statistics::median(before), statistics::median(after));
}

TimeFindings time_findings(const FilePair& files) {
  return is_speed_kind(files.kind) ? process_run_findings(files) : findings_of_trials(files);
}

}  // namespace bloomlab::analysis::compare
