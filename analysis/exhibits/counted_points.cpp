#include "analysis/exhibits/counted_points.hpp"

#include <map>

#include "analysis/data/axes.hpp"
#include "record/input_error.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

[[noreturn]] void fail(const std::string& where, const Json& cell, const std::string& fault) {
  throw record::InputError(where + ": " + cell.dump() + " " + fault +
                           "; measure again with `bloomlab run --force`");
}

std::uint64_t count_of(const Json& object, const char* key, const std::string& where,
                       const Json& cell) {
  const auto found = object.find(key);
  const auto count = found == object.end() ? std::nullopt : as_count(*found);
  if (!count) fail(where, cell, std::string("has no count \"") + key + "\"");
  return *count;
}

}  // namespace

std::uint64_t CountedPoint::number(const char* field) const {
  return count_of(cell_, field, where_, cell_);
}

std::string CountedPoint::word(const char* field) const {
  const auto found = cell_.find(field);
  if (found == cell_.end() || !found->is_string()) {
    fail(where_, cell_, std::string("has no word \"") + field + "\"");
  }
  return found->get<std::string>();
}

std::uint64_t CountedPoint::count(std::size_t trial, const char* key) const {
  return count_of(trials_[trial]->measured, key, where_, cell_);
}

std::uint64_t CountedPoint::count(const char* key) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < trials_.size(); ++i) sum += count(i, key);
  return sum;
}

std::vector<double> CountedPoint::durations(const char* key) const {
  std::vector<double> all;
  for (const record::Observation* trial : trials_) {
    all.push_back(static_cast<double>(count_of(trial->timing, key, where_, cell_)));
  }
  return all;
}

std::vector<double> CountedPoint::ratios(const char* count_key, const char* per) const {
  std::vector<double> all;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    all.push_back(static_cast<double>(count(i, count_key)) / static_cast<double>(count(i, per)));
  }
  return all;
}

statistics::Estimate CountedPoint::mean_ratio(const char* count_key, const char* per) const {
  const std::vector<double> all = ratios(count_key, per);
  if (all.size() > 1) {
    return statistics::estimate_mean(all, statistics::thresholds::interval_level);
  }
  return {.value = all.front(), .interval = {unknown, unknown}};
}

std::vector<CountedPoint> counted_points(const Experiment& experiment, std::string_view kind) {
  if (experiment.kind != kind) {
    throw record::InputError(experiment.file_name + ": results of the kind \"" + experiment.kind +
                             "\", where those of \"" + std::string(kind) +
                             "\" belong; measure again with `bloomlab run --force`");
  }
  std::vector<CountedPoint> points;
  std::map<std::string, std::size_t> place_of;
  for (const record::Observation& observation : experiment.observations) {
    const auto [place, is_new] = place_of.try_emplace(observation.cell.dump(), points.size());
    if (is_new) points.emplace_back(observation, experiment.file_name);
    points[place->second].add(observation);
  }
  return points;
}

Entry estimate_entry(const statistics::Estimate& estimate) {
  if (!(estimate.interval.low < estimate.interval.high)) return number_entry(estimate.value);
  return interval_entry(estimate.value, estimate.interval.low, estimate.interval.high);
}

}  // namespace bloomlab::analysis
