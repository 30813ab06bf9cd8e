#include "analysis/claims/results.hpp"

#include <algorithm>
#include <utility>

#include "analysis/data/load.hpp"
#include "record/partial_match.hpp"

namespace bloomlab::analysis::claims {
namespace {

void add_numbers_of(const Json& json, std::map<std::string, double>& numbers) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) add_numbers_of(value, numbers);
    if (value.is_number()) numbers.try_emplace(key, value.get<double>());
  }
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Numbers of all trials by name.
using Samples = std::map<std::string, std::vector<double>>;

void add_samples(const Json& json, Samples& samples) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) samples[key].push_back(value.get<double>());
  }
}

/// A duration is one number a trial, or one a repetition, of which the median stands for the trial.
void add_durations(const Json& json, Samples& samples) {
  add_samples(json, samples);
  for (const auto& [key, value] : json.items()) {
    const bool numbers =
        value.is_array() && !value.empty() &&
        std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_number(); });
    if (numbers) samples[key].push_back(median_of(value.get<std::vector<double>>()));
  }
}

bool same_cell(const MeasuredCell& cell, const record::Observation& observation) {
  return cell.step == observation.step && cell.cell == observation.cell;
}

/// Trials of a cell stand side by side; steps of a growing filter alternate.
struct CellSamples {
  MeasuredCell cell;
  Samples counts;
  Samples durations;
  std::size_t trials = 0;
};

CellSamples& cell_of(std::vector<CellSamples>& cells, const record::Observation& observation) {
  const auto found = std::find_if(cells.rbegin(), cells.rend(), [&](const CellSamples& known) {
    return same_cell(known.cell, observation);
  });
  if (found != cells.rend()) return *found;
  cells.push_back({{observation.cell, observation.step, {}}, {}, {}, 0});
  return cells.back();
}

MeasuredCell finished(CellSamples samples) {
  MeasuredCell cell = std::move(samples.cell);
  cell.quantities["trials"] = static_cast<double>(samples.trials);
  for (const auto& [name, values] : samples.counts) cell.quantities[name] = mean_of(values);
  for (const auto& [name, values] : samples.durations) cell.quantities[name] = median_of(values);
  if (cell.step) cell.quantities["step"] = static_cast<double>(*cell.step);
  add_numbers_of(cell.cell, cell.quantities);
  return cell;
}

void add_estimate(const Experiment& experiment, MeasuredCell& cell) {
  for (const Measurement& measurement : experiment.measurements) {
    if (measurement.step != cell.step || measurement.cell != cell.cell) continue;
    cell.quantities["fill"] = measurement.mean_fill();
    if (measurement.prediction) cell.quantities["theory"] = measurement.prediction->rate;
    if (!measurement.estimate) return;
    const statistics::Estimate& rate = measurement.estimate->rate;
    cell.quantities["rate"] = rate.value;
    cell.quantities["rate_low"] = rate.interval.low;
    cell.quantities["rate_high"] = rate.interval.high;
    return;
  }
}

}  // namespace

const Experiment* Results::find(const std::string& stem) const& {
  for (const Experiment& experiment : given_) {
    if (experiment.stem == stem) return &experiment;
  }
  const auto known = read_.find(stem);
  if (known != read_.end()) return known->second ? &*known->second : nullptr;
  std::optional<Experiment>& entry = read_[stem];
  const std::filesystem::path file = folder_ / (stem + ".json");
  if (!folder_.empty() && std::filesystem::exists(file)) {
    entry = analyse({stem, stem + ".json", record::read_result_file(file), std::nullopt});
  }
  return entry ? &*entry : nullptr;
}

std::vector<MeasuredCell> cells_like(const Experiment& experiment, const Json& partial) {
  Json wanted = partial;
  std::optional<std::uint64_t> step;
  if (const auto found = wanted.find("step");
      found != wanted.end() && found->is_number_unsigned()) {
    step = found->get<std::uint64_t>();
    wanted.erase("step");
  }
  std::vector<CellSamples> samples;
  for (const record::Observation& observation : experiment.observations) {
    if (step && observation.step != step) continue;
    if (!record::matches(wanted, observation.cell)) continue;
    CellSamples& cell = cell_of(samples, observation);
    ++cell.trials;
    add_samples(observation.measured, cell.counts);
    add_durations(observation.timing, cell.durations);
  }
  std::vector<MeasuredCell> cells;
  for (CellSamples& one : samples) {
    cells.push_back(finished(std::move(one)));
    add_estimate(experiment, cells.back());
  }
  return cells;
}

}  // namespace bloomlab::analysis::claims
