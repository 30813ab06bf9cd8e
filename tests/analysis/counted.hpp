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

/// The entry of that column.
inline const Entry& entry(const Content& content, const std::string& table_name, std::size_t row,
                          const std::string& key) {
  const auto table =
      std::find_if(content.tables.begin(), content.tables.end(),
                   [&](const Table& candidate) { return candidate.name == table_name; });
  REQUIRE(table != content.tables.end());
  const auto column = std::find_if(table->columns.begin(), table->columns.end(),
                                   [&](const auto& candidate) { return candidate.key == key; });
  REQUIRE(column != table->columns.end());
  REQUIRE(row < table->rows.size());
  return table->rows[row][static_cast<std::size_t>(column - table->columns.begin())];
}

/// Checks that the section can be written.
inline void check_section(const Experiment& made) {
  CHECK_NOTHROW(bloomlab::analysis::make_section(made, bloomlab::analysis::Words("en"), {}));
}

}  // namespace counted
