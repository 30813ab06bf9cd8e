// Experiments of kinds with a grid of their own, by hand.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/content.hpp"
#include "analysis/report/section.hpp"

namespace counted {

using bloomlab::analysis::Content;
using bloomlab::analysis::Entry;
using bloomlab::analysis::Experiment;
using bloomlab::analysis::Json;
using bloomlab::analysis::Table;

/// An experiment of this kind, under a stem of the same name.
inline Experiment experiment(const std::string& kind) {
  Experiment made;
  made.stem = kind;
  made.file_name = kind + ".json";
  made.kind = kind;
  made.title = "A title";
  made.question = "A question?";
  return made;
}

/// Adds the trials of one cell.
inline void add(Experiment& to, const Json& cell, const std::vector<Json>& trials,
                const Json& timing = Json::object()) {
  std::uint64_t trial = 0;
  for (const Json& measured : trials) {
    bloomlab::record::Observation observation;
    observation.cell = cell;
    observation.trial = trial++;
    observation.measured = measured;
    observation.timing = timing;
    to.observations.push_back(std::move(observation));
  }
}

}  // namespace counted
