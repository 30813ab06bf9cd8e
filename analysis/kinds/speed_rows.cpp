#include "analysis/kinds/speed_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "statistics/durations.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;
using record::Observation;

constexpr std::array<std::string_view, 9> timed_names = {
    "insert", "negative", "mixed", "positive", "dry", "build", "hash", "read", "deduplicate"};

/// Whether the process run took a stream of keys, and asked while it filled.
bool took_a_stream(const Observation& observation) {
  return observation.measured.contains("stream");
}

std::uint64_t measured_count(const Observation& observation, const char* key,
                             const std::string& where) {
  const auto found = observation.measured.find(key);
  if (found != observation.measured.end()) {
    if (const auto count = as_count(*found)) return *count;
  }
  throw record::InputError(where + ": cell " + observation.cell.dump() +
                           ": measured has no count \"" + key +
                           "\"; measure again with `bloomlab run --force`");
}

std::vector<double> timed_list(const Observation& observation, const std::string& key) {
  std::vector<double> values;
  const auto found = observation.timing.find(key);
  if (found == observation.timing.end() || !found->is_array()) return values;
  for (const Json& value : *found) {
    if (value.is_number()) values.push_back(value.get<double>());
  }
  return values;
}

/// Keys that one number of a duration stands for.
double keys_timed(const Observation& observation, std::string_view name, const Json& config,
                  const std::string& where) {
  if (took_a_stream(observation)) {
    return static_cast<double>(measured_count(observation, "stream", where));
  }
  if (name == "insert" || name == "build") {
    return static_cast<double>(measured_count(observation, "inserted", where));
  }
  const double queries = number_at(config, "/queries");
  if (queries > 0) return queries;
  throw record::InputError(
      where + ": /config/queries: found " + value_at(config, "/queries").dump() +
      ", allowed: a whole number above 0; measure again with `bloomlab run --force`");
}

SpeedTime summary_of(std::vector<double> process_runs) {
  SpeedTime time;
  if (process_runs.empty()) return time;
  time.value = statistics::median(process_runs);
  time.interval = {time.value, time.value};
  if (process_runs.size() > 1) {
    time.interval =
        statistics::bootstrap_median(process_runs, thresholds::interval_level, process_runs.size());
  }
  time.process_runs = std::move(process_runs);
  return time;
}

using ProcessRuns = std::vector<Observation>;

std::map<std::string, SpeedTime> times_of(const ProcessRuns& process_runs, const Json& config,
                                          const std::string& where) {
  std::map<std::string, SpeedTime> times;
  for (const std::string_view name : timed_names) {
    std::vector<double> medians;
    for (const Observation& observation : process_runs) {
      const auto durations = timed_list(observation, std::string(name) + "_ns");
      if (durations.empty()) continue;
      medians.push_back(statistics::median(durations) /
                        keys_timed(observation, name, config, where));
    }
    if (!medians.empty()) times.emplace(name, summary_of(std::move(medians)));
  }
  return times;
}

/// What deduplicating takes beside making the keys, process run by process run.
void add_net_time(std::map<std::string, SpeedTime>& times) {
  const auto whole = times.find("deduplicate");
  const auto dry = times.find("dry");
  if (whole == times.end() || dry == times.end()) return;
  if (whole->second.process_runs.size() != dry->second.process_runs.size()) return;
  std::vector<double> net = whole->second.process_runs;
  std::ranges::transform(net, dry->second.process_runs, net.begin(), std::minus());
  times.emplace("deduplicate_net", summary_of(std::move(net)));
}

std::vector<double> lines_of(const ProcessRuns& process_runs) {
  std::vector<double> means;
  for (const Observation& observation : process_runs) {
    double sum = 0.0;
    const std::vector<double> values = timed_list(observation, "line_ns");
    for (const double value : values) sum += std::log(value);
    const double mean = std::exp(sum / static_cast<double>(values.size()));
    if (!(mean > 0) || !std::isfinite(mean)) return {};
    means.push_back(mean);
  }
  return means;
}

/// The law of the row's filters; their spread is not known of every one.
std::optional<statistics::RateLaw> law_of_row(const Prediction& prediction) {
  const double variance = prediction.sd_rate * prediction.sd_rate;
  if (std::isnan(variance)) return std::nullopt;
  return statistics::RateLaw{prediction.rate,
                             std::min(variance, prediction.rate * (1 - prediction.rate))};
}

std::vector<double> rates_of_process_runs(const std::vector<std::uint64_t>& hits,
                                          std::uint64_t queries) {
  std::vector<double> rates;
  for (const std::uint64_t count : hits) {
    rates.push_back(static_cast<double>(count) / static_cast<double>(queries));
  }
  return rates;
}

/// The rate whose counts have names that begin with `prefix`, of so many filters per process run:
/// their mean rate varies less than one filter's.
std::optional<SpeedRate> rate_of(const ProcessRuns& process_runs, const std::string& prefix,
                                 double filters, const std::string& where) {
  const Observation& first = process_runs.front();
  const std::string false_positives = prefix + "false_positives";
  const std::string true_negatives = prefix + "true_negatives";
  if (!first.measured.contains("filter")) return std::nullopt;
  if (!has_closed_form({{"filter", first.measured.at("filter")}})) return std::nullopt;
  std::vector<std::uint64_t> hits;
  SpeedRate rate;
  std::uint64_t queries = 0;
  for (const Observation& observation : process_runs) {
    hits.push_back(measured_count(observation, false_positives.c_str(), where));
    queries = hits.back() + measured_count(observation, true_negatives.c_str(), where);
    rate.hits += hits.back();
    rate.queries += queries;
  }
  const auto n = first.cell.at("n").get<std::uint64_t>();
  const Json filter = {{"filter", first.measured.at("filter")}};
  const Prediction prediction =
      took_a_stream(first) ? predict_stream(filter, n, where) : predict(filter, n, where);
  auto law = law_of_row(prediction);
  if (law) law->variance /= filters;
  rate.value = static_cast<double>(rate.hits) / static_cast<double>(rate.queries);
  rate.expected = prediction.rate;
  rate.interval =
      statistics::estimate_ensemble(hits, queries, law, thresholds::interval_level).interval;
  if (!law && process_runs.size() < 2) law = statistics::RateLaw{prediction.rate, 0.0};
  rate.p_value =
      law ? statistics::test_ensemble_rate(rate.hits, {process_runs.size(), queries}, *law).p_value
          : statistics::test_mean_rate(rates_of_process_runs(hits, queries), prediction.rate,
                                       rate.hits, rate.queries)
                .p_value;
  return rate;
}

double median_huge_share(const ProcessRuns& process_runs) {
  std::vector<double> shares;
  for (const Observation& observation : process_runs) {
    const double present = number_at(observation.timing, "/present_bytes");
    const double huge = number_at(observation.timing, "/huge_bytes");
    if (present > 0 && huge >= 0) shares.push_back(huge / present);
  }
  return shares.empty() ? unknown : std::min(1.0, statistics::median(shares));
}

SpeedRow row_of_process_runs(const ProcessRuns& process_runs, const Json& config,
                             const std::string& where) {
  const Observation& first = process_runs.front();
  SpeedRow row;
  row.cell = first.cell;
  row.process_runs = process_runs.size();
  row.available = first.measured.value("available", true);
  if (!row.available) return row;
  row.times = times_of(process_runs, config, where);
  add_net_time(row.times);
  row.line_ns = lines_of(process_runs);
  if (first.measured.contains("memory_bits")) {
    row.bytes_per_key = static_cast<double>(measured_count(first, "memory_bits", where)) / 8.0 /
                        static_cast<double>(measured_count(first, "inserted", where));
  }
  row.huge_share = median_huge_share(process_runs);
  row.rate = rate_of(process_runs, "", std::max(1.0, first.cell.value("rotation", 1.0)), where);
  if (first.measured.contains("structured_false_positives")) {
    row.structured = rate_of(process_runs, "structured_", 1.0, where);
  }
  row.law = word_at(first.measured, "/filter/kind");
  return row;
}

void judge_rates(std::vector<SpeedRow>& rows, std::optional<SpeedRate> SpeedRow::*judged) {
  std::vector<SpeedRate*> rates;
  std::vector<double> p_values;
  for (SpeedRow& row : rows) {
    if (!(row.*judged)) continue;
    rates.push_back(&*(row.*judged));
    p_values.push_back(rates.back()->p_value);
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i]->adjusted_p = adjusted[i];
    if (!(rates[i]->expected > 0)) continue;
    const statistics::TestPlan plan{
        .alpha = thresholds::speed_alpha / static_cast<double>(rates.size()),
        .power = thresholds::power};
    rates[i]->detectable = statistics::minimum_detectable_effect({rates[i]->expected, 0.0},
                                                                 {1, rates[i]->queries}, plan)
                               .either();
  }
}

/// Of all process runs, the median of one loop of the bracket; NaN where none has it.
double bracket_median(const record::Observations& observations, const std::string& key) {
  std::vector<double> values;
  for (const Observation& observation : observations) {
    const auto both = timed_list(observation, key);
    values.insert(values.end(), both.begin(), both.end());
  }
  return values.empty() ? unknown : statistics::median(values);
}

/// The loops of the bracket around a process run.
constexpr std::array<const char*, 2> loops = {"alu_ns", "line_ns"};
using LoopMedians = std::array<double, loops.size()>;

LoopMedians loop_medians(const record::Observations& observations) {
  LoopMedians medians{};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    medians[i] = bracket_median(observations, loops[i]);
  }
  return medians;
}

void count_noise(Noise& noise, const Observation& observation, const LoopMedians& medians) {
  if (!observation.timing.contains("alu_ns")) return;
  bool moved = false;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    for (const double value : timed_list(observation, loops[i])) {
      moved = moved || std::abs(value / medians[i] - 1.0) > thresholds::noise;
    }
  }
  ++noise.process_runs;
  noise.marked += moved ? 1 : 0;
  noise.steal_ticks += as_count(value_at(observation.timing, "/steal_ticks")).value_or(0);
}

/// The row of this very cell, where it was timed; else null.
const SpeedRow* row_of_cell(const SpeedRun& run, const Json& cell) {
  const auto found = std::find_if(run.rows.begin(), run.rows.end(), [&](const SpeedRow& row) {
    return row.cell == cell && row.available;
  });
  return found == run.rows.end() ? nullptr : &*found;
}

}  // namespace

bool SpeedRate::disagrees() const { return adjusted_p <= thresholds::speed_alpha; }

bool SpeedRate::is_sharp() const { return detectable <= thresholds::speed_effect; }

std::string SpeedRow::implementation() const {
  return word_at(cell, cell.contains("implementation") ? "/implementation" : "/hash");
}

double SpeedRow::time(const std::string& name) const {
  const auto found = times.find(name);
  return found == times.end() ? unknown : found->second.value;
}

bool Noise::are_too_many() const {
  return static_cast<double>(marked) > thresholds::noisy_share * static_cast<double>(process_runs);
}

std::vector<const SpeedRow*> SpeedRun::wrong_rates() const {
  std::vector<const SpeedRow*> wrong;
  for (const SpeedRow& row : rows) {
    if (row.rate && row.rate->disagrees()) wrong.push_back(&row);
  }
  return wrong;
}

bool is_speed_kind(const std::string& kind) {
  return kind == "throughput" || kind == "hash_speed" || kind == "construction" ||
         kind == "deduplication";
}

SpeedRun speed_run(const Json& config, const record::Observations& observations,
                   const std::string& where) {
  SpeedRun run;
  ProcessRuns process_runs;
  const LoopMedians medians = loop_medians(observations);
  const auto close = [&] {
    if (process_runs.empty()) return;
    run.rows.push_back(row_of_process_runs(process_runs, config, where));
    for (const Observation& one : process_runs) {
      count_noise(run.rows.back().noise, one, medians);
      count_noise(run.noise, one, medians);
    }
    process_runs.clear();
  };
  for (const Observation& observation : observations) {
    if (!process_runs.empty() && process_runs.front().cell != observation.cell) close();
    process_runs.push_back(observation);
  }
  close();
  judge_rates(run.rows, &SpeedRow::rate);
  judge_rates(run.rows, &SpeedRow::structured);
  return run;
}

std::vector<std::string> speed_faults(const Experiment& experiment) {
  std::vector<std::string> faults;
  if (!is_speed_kind(experiment.kind)) return faults;
  const SpeedRun run = speed_run(experiment.config, experiment.observations, experiment.file_name);
  for (const SpeedRow* row : run.wrong_rates()) {
    faults.push_back(experiment.stem + ": the rate of " + row->cell.dump() +
                     " disagrees with its closed form (after Holm " +
                     p_value_phrase(row->rate->adjusted_p) + "): its speed means nothing");
  }
  return faults;
}

const SpeedRow* counterpart(const SpeedRun& run, const SpeedRow& row,
                            const std::string& implementation) {
  Json wanted = row.cell;
  wanted["implementation"] = implementation;
  return row_of_cell(run, wanted);
}

const SpeedRow* one_thread_row(const SpeedRun& run, const SpeedRow& row) {
  Json wanted = row.cell;
  wanted["threads"] = 1;
  if (const SpeedRow* const found = row_of_cell(run, wanted)) return found;
  wanted.erase("threads");
  return row_of_cell(run, wanted);
}

SpeedTime time_ratio(const SpeedRow& row, const SpeedRow& base, const std::string& name) {
  const auto mine = row.times.find(name);
  const auto theirs = base.times.find(name);
  if (mine == row.times.end() || theirs == base.times.end()) return {};
  std::vector<double> ratios;
  const auto& numerators = mine->second.process_runs;
  const auto& denominators = theirs->second.process_runs;
  for (std::size_t i = 0; i < std::min(numerators.size(), denominators.size()); ++i) {
    ratios.push_back(numerators[i] / denominators[i]);
  }
  return summary_of(std::move(ratios));
}

}  // namespace bloomlab::analysis
