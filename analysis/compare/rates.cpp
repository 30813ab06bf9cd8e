#include "analysis/compare/rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

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
