#include "analysis/compare/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"
#include "statistics/thresholds.hpp"

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
  for (const Observation& observation : set.file.observations) {
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

namespace thresholds = statistics::thresholds;
using record::Observation;
using Trials = std::vector<const Observation*>;

std::uint64_t counted(const Observation& observation, const char* key, const std::string& where) {
  const auto count = as_count(observation.measured.at(key));
  if (count) return *count;
  throw record::InputError(
      where + ": cell " + observation.cell.dump() + ": /measured/" + key + ": found " +
      observation.measured.at(key).dump() +
      ", allowed: a whole number >= 0; measure again with `bloomlab run --force`");
}

bool counts_absent_keys(const Trials& trials) {
  return std::all_of(trials.begin(), trials.end(), [](const Observation* observation) {
    return observation->measured.contains("false_positives") &&
           observation->measured.contains("true_negatives");
  });
}

/// Where questions ended with a hit, that hit and its question are left out: what remains is
/// Haldane's unbiased estimate (statistics/sequential.hpp).
statistics::FilterCounts counts_of(const Trials& trials, const std::string& where) {
  statistics::FilterCounts counts;
  for (const Observation* observation : trials) {
    std::uint64_t hits = counted(*observation, "false_positives", where);
    std::uint64_t queries = hits + counted(*observation, "true_negatives", where);
    if (observation->measured.value("stopped_by", Json()) == "hits" && hits > 1) {
      --hits;
      --queries;
    }
    counts.hits.push_back(hits);
    counts.queries.push_back(queries);
  }
  return counts;
}

bool all_were_asked(const statistics::FilterCounts& counts) {
  return std::find(counts.queries.begin(), counts.queries.end(), 0) == counts.queries.end();
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// The filter that the closed form speaks of, in a cell of its own; null where there is none.
Json cell_with_filter(const Observation& observation) {
  if (observation.cell.contains("filter")) return observation.cell;
  const auto filter = observation.measured.find("filter");
  if (filter != observation.measured.end() && filter->is_object()) return {{"filter", *filter}};
  return nullptr;
}

/// What theory says of the spread between filters, where it says anything.
std::optional<statistics::RateLaw> law_of_pair(const CellPair& pair, const std::string& where) {
  const Observation& observation = *pair.first.front();
  const Json cell = cell_with_filter(observation);
  const auto inserted = as_count(observation.measured.value("inserted", Json()));
  if (cell.is_null() || !inserted) return std::nullopt;
  try {
    const Prediction prediction = predict(cell, *inserted, where);
    double variance = prediction.sd_rate * prediction.sd_rate;
    if (!(prediction.rate >= 0 && prediction.rate <= 1) || std::isnan(variance)) {
      return std::nullopt;
    }
    // A process run of a rotation asks many filters in turn.
    const double rotation = number_at(pair.cell, "/rotation");
    if (rotation > 1) variance /= rotation;
    return statistics::RateLaw{prediction.rate,
                               std::min(variance, prediction.rate * (1 - prediction.rate))};
  } catch (const record::RunError&) {
    return std::nullopt;  // parameters outside the closed form
  }
}

std::optional<statistics::RateChange> change_of(const CellPair& pair,
                                                const statistics::FilterCounts& first,
                                                const statistics::FilterCounts& second,
                                                const std::string& where) {
  const bool alike = pair.same_seeds() && first.queries == second.queries;
  const auto test = [&](const std::optional<statistics::RateLaw>& law) {
    return alike ? statistics::compare_paired_rates(first, second, law, thresholds::interval_level)
                 : statistics::compare_rates(first, second, law, thresholds::interval_level);
  };
  // Theory is asked only where the filters themselves do not tell.
  const auto change = test(std::nullopt);
  if (change && change->method != statistics::RateMethod::conditional) return change;
  const auto law = law_of_pair(pair, where);
  return law ? test(law) : change;
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

double RateDifference::possible_size() const {
  return std::max(std::abs(change.interval.low - 1.0), std::abs(change.interval.high - 1.0));
}

RateFindings rate_findings(const FilePair& files) {
  RateFindings findings;
  for (const CellPair& pair : files.cells) {
    if (pair.same_counts()) {
      ++findings.equal_counts;
      continue;
    }
    if (!counts_absent_keys(pair.first) || !counts_absent_keys(pair.second)) {
      if (pair.same_seeds()) {
        findings.other_counts.push_back(&pair);
      } else {
        ++findings.untested;
      }
      continue;
    }
    const auto first = counts_of(pair.first, files.first->place());
    const auto second = counts_of(pair.second, files.second->place());
    if (pair.same_seeds() && first.hits == second.hits && first.queries == second.queries) {
      findings.other_counts.push_back(&pair);
      continue;
    }
    std::optional<statistics::RateChange> change;
    // Without a hit on either side no test could find anything, and given that sum none is made.
    if (all_were_asked(first) && all_were_asked(second) &&
        sum_of(first.hits) + sum_of(second.hits) > 0) {
      change = change_of(pair, first, second, files.first->place());
    }
    if (!change) {
      ++findings.untested;
      continue;
    }
    findings.tested.push_back({.stem = files.stem,
                               .pair = &pair,
                               .first_hits = sum_of(first.hits),
                               .first_queries = sum_of(first.queries),
                               .second_hits = sum_of(second.hits),
                               .second_queries = sum_of(second.queries),
                               .change = *change});
  }
  return findings;
}

}  // namespace bloomlab::analysis::compare
