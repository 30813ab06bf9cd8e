// Which cells two folders have in common.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis::compare {

namespace {

using record::Observation;

/// One cell and step of a file, with all of its trials.
struct Place {
  const Observation* example = nullptr;
  std::vector<const Observation*> trials = {};
};

/// The places of a file in the order in which they stand there, and where each is.
struct Places {
  std::shared_ptr<const std::vector<Observation>> rows;  // to which the others refer
  std::vector<Place> all;
  std::unordered_map<std::string, std::size_t> index;
};

/// The cell with its members by name, so that the order in which they were written does not tell.
std::string key_of(const Observation& observation) {
  std::string key = nlohmann::json(observation.cell).dump();
  if (observation.step) key.append("#").append(std::to_string(*observation.step));
  return key;
}

Places places_of(const ResultSet& set) {
  Places places;
  places.rows = std::make_shared<const std::vector<Observation>>(set.file.observations.unpacked());
  for (const Observation& observation : *places.rows) {
    const auto [entry, is_new] = places.index.try_emplace(key_of(observation), places.all.size());
    if (is_new) places.all.push_back({.example = &observation});
    places.all[entry->second].trials.push_back(&observation);
  }
  for (Place& place : places.all) {
    std::sort(place.trials.begin(), place.trials.end(),
              [](const Observation* a, const Observation* b) { return a->trial < b->trial; });
  }
  return places;
}

Json named(const Observation& observation) {
  Json cell = observation.cell;
  if (observation.step) cell["step"] = *observation.step;
  return cell;
}

/// A config without what changes nothing of what is measured.
Json measuring_part(Json config) {
  for (const char* key : {"title", "question", "expected_flags"}) config.erase(key);
  return config;
}

std::string kind_of_config(const Json& config) {
  const auto kind = config.find("kind");
  return kind != config.end() && kind->is_string() ? kind->get<std::string>() : "";
}

FilePair pair_files(const ResultSet& first, const ResultSet& second) {
  FilePair pair;
  pair.stem = first.stem;
  pair.kind = kind_of_config(first.file.config);
  pair.first = &first;
  pair.second = &second;
  pair.same_config = measuring_part(first.file.config) == measuring_part(second.file.config);
  const Places before = places_of(first);
  const Places after = places_of(second);
  pair.first_rows = before.rows;
  pair.second_rows = after.rows;
  for (const Place& place : before.all) {
    const auto twin = after.index.find(key_of(*place.example));
    if (twin == after.index.end()) {
      pair.only_first.push_back(named(*place.example));
      continue;
    }
    pair.cells.push_back({.cell = place.example->cell,
                          .step = place.example->step,
                          .first = place.trials,
                          .second = after.all[twin->second].trials});
  }
  for (const Place& place : after.all) {
    if (!before.index.contains(key_of(*place.example))) {
      pair.only_second.push_back(named(*place.example));
    }
  }
  return pair;
}

}  // namespace

bool CellPair::same_seeds() const {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const Observation* a, const Observation* b) {
                      return a->trial == b->trial && a->seed == b->seed;
                    });
}

bool CellPair::same_counts() const {
  return same_seeds() && std::equal(first.begin(), first.end(), second.begin(), second.end(),
                                    [](const Observation* a, const Observation* b) {
                                      return a->measured == b->measured;
                                    });
}

std::uint64_t Pairing::cells() const {
  return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const FilePair& file) {
                           return sum + static_cast<std::uint64_t>(file.cells.size());
                         });
}

Pairing pair_up(const std::vector<ResultSet>& first, const std::vector<ResultSet>& second) {
  const auto by_stem = [](const std::vector<ResultSet>& sets) {
    std::map<std::string, const ResultSet*> stems;
    for (const ResultSet& set : sets) stems.emplace(set.stem, &set);
    return stems;
  };
  const auto before = by_stem(first);
  const auto after = by_stem(second);
  Pairing pairing;
  for (const auto& [stem, set] : before) {
    const auto twin = after.find(stem);
    if (twin == after.end()) {
      pairing.stems_only_first.push_back(stem);
    } else {
      pairing.files.push_back(pair_files(*set, *twin->second));
    }
  }
  for (const auto& [stem, set] : after) {
    if (!before.contains(stem)) pairing.stems_only_second.push_back(stem);
  }
  return pairing;
}

}  // namespace bloomlab::analysis::compare
