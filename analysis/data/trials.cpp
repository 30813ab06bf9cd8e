#include "analysis/data/trials.hpp"

#include <map>
#include <set>
#include <utility>

#include "record/input_error.hpp"

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

}  // namespace bloomlab::analysis
