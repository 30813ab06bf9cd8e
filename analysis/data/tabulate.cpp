#include "analysis/data/tabulate.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/data/axes.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& fault) {
  throw record::InputError(where + ": " + fault + "; measure again with `bloomlab run --force`");
}

std::uint64_t count_in(const Json& measured, const char* key, const std::string& where) {
  const auto found = measured.find(key);
  if (found == measured.end()) fail(where + "/measured", std::string("no \"") + key + "\"");
  const auto count = as_count(*found);
  if (!count) {
    fail(where + "/measured/" + key, "found " + found->dump() + ", allowed: a whole number >= 0");
  }
  return *count;
}

double rate_in(const Json& measured, const char* key, const std::string& where) {
  const auto found = measured.find(key);
  if (found == measured.end()) fail(where + "/measured", std::string("no \"") + key + "\"");
  const double rate = found->is_number() ? found->get<double>() : unknown;
  if (!(rate >= 0 && rate <= 1)) {
    fail(where + "/measured/" + key, "found " + found->dump() + ", allowed: a number from 0 to 1");
  }
  return rate;
}

Trial read_trial(const record::Observation& observation, const std::string& where) {
  const Json& measured = observation.measured;
  const auto count = [&](const char* key) { return count_in(measured, key, where); };
  const std::uint64_t denied = count("false_negatives");
  const std::uint64_t refused = measured.contains("refused") ? count("refused") : 0;
  Trial trial{.trial = observation.trial,
              .seed = observation.seed,
              .true_positives = count("true_positives"),
              .false_positives = count("false_positives"),
              .true_negatives = count("true_negatives"),
              .false_negatives = denied - std::min(denied, refused),
              .inserted = count("inserted"),
              .bits = count("bits"),
              .bits_set = count("bits_set"),
              .memory_bits = count("memory_bits"),
              .layers = count("layers"),
              .conditional_rate = rate_in(measured, "conditional_rate", where),
              .stopped_by = measured.value("stopped_by", "")};
  if (trial.queries() == 0) fail(where + "/measured", "no absent key was queried");
  if (trial.true_positives > trial.inserted || denied != trial.inserted - trial.true_positives) {
    fail(where + "/measured", std::to_string(trial.true_positives) +
                                  " inserted keys reported and " + std::to_string(denied) +
                                  " denied are not the " + std::to_string(trial.inserted) +
                                  " inserted");
  }
  if (trial.bits == 0 || trial.bits_set > trial.bits) {
    fail(where + "/measured/bits_set", std::to_string(trial.bits_set) + " set bits of " +
                                           std::to_string(trial.bits) + " cannot be");
  }
  return trial;
}

/// Identity of a measurement within its file.
std::string identity(const record::Observation& observation) {
  return observation.cell.dump() + "#" +
         (observation.step ? std::to_string(*observation.step) : std::string());
}

void add_trial(Measurement& measurement, const Trial& trial, const std::string& where) {
  for (const Trial& other : measurement.trials) {
    if (other.trial == trial.trial) {
      fail(where, "trial " + std::to_string(trial.trial) + " of this cell is there twice");
    }
  }
  if (!measurement.trials.empty() && measurement.inserted() != trial.inserted) {
    fail(where + "/measured/inserted", std::to_string(trial.inserted) + " keys here, " +
                                           std::to_string(measurement.inserted()) +
                                           " in another trial of this cell");
  }
  const bool stops_by_itself = !trial.stopped_by.empty();
  if (!stops_by_itself && !measurement.trials.empty() &&
      measurement.trials.front().queries() != trial.queries()) {
    fail(where + "/measured", std::to_string(trial.queries()) + " absent keys queried here, " +
                                  std::to_string(measurement.trials.front().queries()) +
                                  " in another trial of this cell");
  }
  measurement.trials.push_back(trial);
}

}  // namespace

std::vector<Measurement> tabulate(const record::ResultFile& file, const std::string& where) {
  std::vector<Measurement> measurements;
  std::unordered_map<std::string, std::size_t> index;
  std::unordered_set<std::string> closed;  // cells after which another one came
  const Json* current = nullptr;
  std::string current_text;
  for (const record::Observation& observation : file.observations) {
    if (!observation.cell.contains("filter")) continue;
    if (current == nullptr || *current != observation.cell) {
      if (current != nullptr) closed.insert(current_text);
      current = &observation.cell;
      current_text = observation.cell.dump();
      if (closed.contains(current_text)) {
        fail(where + ": cell " + current_text, "this cell's observations stand apart");
      }
    }
    const std::string here = where + ": " + record::place_of(observation, current_text) + ": ";
    const auto [entry, is_new] = index.try_emplace(identity(observation), measurements.size());
    if (is_new) {
      measurements.push_back({.cell = observation.cell,
                              .group = observation.group,
                              .step = observation.step,
                              .redrawn = observation.redrawn,
                              .trials = {},
                              .prediction = std::nullopt,
                              .estimate = std::nullopt});
    }
    add_trial(measurements[entry->second], read_trial(observation, here), here);
  }
  return measurements;
}

}  // namespace bloomlab::analysis
