#include "analysis/data/measurement.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

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

/// The bits of a filter that shows them; one from outside does not.
void read_bits(const Json& measured, const std::string& where, Eigen::Index i, Trials& trials) {
  trials.bits[i] = trials.bits_set[i] = trials.layers[i] = 0;
  trials.conditional_rate[i] = unknown;
  if (measured.contains("implementation") && !measured.contains("bits")) return;
  trials.bits[i] = count_in(measured, "bits", where);
  trials.bits_set[i] = count_in(measured, "bits_set", where);
  trials.layers[i] = count_in(measured, "layers", where);
  trials.conditional_rate[i] = rate_in(measured, "conditional_rate", where);
  if (trials.bits[i] == 0 || trials.bits_set[i] > trials.bits[i]) {
    fail(where + "/measured/bits_set", std::to_string(trials.bits_set[i]) + " set bits of " +
                                           std::to_string(trials.bits[i]) + " cannot be");
  }
}

/// Reads trial `i`; those before it are there.
void read_trial(const record::Observation& observation, const std::string& where, Eigen::Index i,
                Trials& trials) {
  const Json& measured = observation.measured;
  const auto count = [&](const char* key) { return count_in(measured, key, where); };
  const std::uint64_t denied = count("false_negatives");
  const std::uint64_t refused = measured.contains("refused") ? count("refused") : 0;
  trials.number[i] = observation.trial;
  trials.seed[i] = observation.seed;
  trials.true_positives[i] = count("true_positives");
  trials.false_positives[i] = count("false_positives");
  trials.true_negatives[i] = count("true_negatives");
  trials.false_negatives[i] = denied - std::min(denied, refused);
  trials.inserted[i] = count("inserted");
  trials.memory_bits[i] = count("memory_bits");
  read_bits(measured, where, i, trials);
  trials.stopped_by[static_cast<std::size_t>(i)] = measured.value("stopped_by", "");
  const std::uint64_t inserted = trials.inserted[i];
  const std::uint64_t found = trials.true_positives[i];
  if (trials.false_positives[i] + trials.true_negatives[i] == 0) {
    fail(where + "/measured", "no absent key was queried");
  }
  if (found > inserted || denied != inserted - found) {
    fail(where + "/measured", std::to_string(found) + " inserted keys reported and " +
                                  std::to_string(denied) + " denied are not the " +
                                  std::to_string(inserted) + " inserted");
  }
}

/// Whether trial `i` goes together with those before it.
void check_trial(const Trials& trials, Eigen::Index i, const std::string& where) {
  if ((trials.number.head(i) == trials.number[i]).any()) {
    fail(where, "trial " + std::to_string(trials.number[i]) + " of this cell is there twice");
  }
  if (trials.inserted[0] != trials.inserted[i]) {
    fail(where + "/measured/inserted", std::to_string(trials.inserted[i]) + " keys here, " +
                                           std::to_string(trials.inserted[0]) +
                                           " in another trial of this cell");
  }
  const auto queries = [&](Eigen::Index at) {
    return trials.false_positives[at] + trials.true_negatives[at];
  };
  if (trials.stopped_by[static_cast<std::size_t>(i)].empty() && queries(0) != queries(i)) {
    fail(where + "/measured", std::to_string(queries(i)) + " absent keys queried here, " +
                                  std::to_string(queries(0)) + " in another trial of this cell");
  }
}

Trials read_trials(const std::vector<const record::Observation*>& observations,
                   const std::string& where) {
  Trials trials(static_cast<Eigen::Index>(observations.size()));
  const std::string cell = observations.front()->cell.dump();
  for (Eigen::Index i = 0; i < trials.size(); ++i) {
    const record::Observation& observation = *observations[static_cast<std::size_t>(i)];
    const std::string here = where + ": " + record::place_of(observation, cell) + ": ";
    read_trial(observation, here, i, trials);
    check_trial(trials, i, here);
  }
  return trials;
}

/// Identity of a measurement within its file.
std::string identity(const record::Observation& observation) {
  return observation.cell.dump() + "#" +
         (observation.step ? std::to_string(*observation.step) : std::string());
}

}  // namespace

std::optional<std::uint64_t> as_count(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0) return std::nullopt;
  return static_cast<std::uint64_t>(value.get<std::int64_t>());
}

Trials::Trials(Eigen::Index count)
    : conditional_rate(count), stopped_by(static_cast<std::size_t>(count)) {
  for (Counts* column : {&number, &seed, &true_positives, &false_positives, &true_negatives,
                         &false_negatives, &inserted, &bits, &bits_set, &memory_bits, &layers}) {
    column->resize(count);
  }
}

Reals Trials::rates() const {
  Reals rates = false_positives.cast<double>() / queries().cast<double>();
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (stopped_by[static_cast<std::size_t>(i)] != "hits") continue;
    // Asked until a hit: Haldane's unbiased estimate (statistics/sequential.hpp).
    const auto asked = static_cast<double>(false_positives[i] + true_negatives[i] - 1);
    rates[i] = asked > 0 ? static_cast<double>(false_positives[i] - 1) / asked : unknown;
  }
  return rates;
}

const Rung* Estimate::lowest_accepted() const& {
  const auto found = std::find_if(ladder.begin(), ladder.end(), [](const Rung& rung) {
    return rung.verdict.verdict == statistics::Verdict::accepted;
  });
  return found == ladder.end() ? nullptr : &*found;
}

const Rung* Estimate::lowest_true() const& {
  const auto found = std::find_if(ladder.begin(), ladder.end(), [](const Rung& rung) {
    return rung.verdict.verdict == statistics::Verdict::accepted &&
           !rung.verdict.significantly_different;
  });
  return found == ladder.end() ? nullptr : &*found;
}

bool Measurement::asked_equally() const {
  const Counts queries = trials.queries();
  return (queries == queries[0]).all() && std::ranges::count(trials.stopped_by, "hits") == 0;
}

double Measurement::mean_fill() const {
  const Reals fills = trials.fills();
  return std::accumulate(fills.begin(), fills.end(), 0.0) / static_cast<double>(fills.size());
}

bool FlagCheck::as_expected() const {
  return unseen.empty() && std::all_of(flagged.begin(), flagged.end(), [](const FlaggedCell& flag) {
           return flag.expected.has_value();
         });
}

bool has_failed(const record::Observation& observation) {
  return observation.measured.contains("status") && !observation.measured.contains("inserted");
}

std::vector<Measurement> tabulate(const record::ResultFile& file, const std::string& where) {
  std::vector<Measurement> measurements;
  std::vector<std::vector<const record::Observation*>> trials;  // of each
  std::unordered_map<std::string, std::size_t> index;
  std::unordered_set<std::string> closed;  // cells after which another one came
  const Json* current = nullptr;
  std::string current_text;
  for (const record::Observation& observation : file.observations) {
    if (!observation.cell.contains("filter") || has_failed(observation)) continue;
    if (current == nullptr || *current != observation.cell) {
      if (current != nullptr) closed.insert(current_text);
      current = &observation.cell;
      current_text = observation.cell.dump();
      if (closed.contains(current_text)) {
        fail(where + ": cell " + current_text, "this cell's observations stand apart");
      }
    }
    const auto [entry, is_new] = index.try_emplace(identity(observation), measurements.size());
    if (is_new) {
      measurements.push_back({.cell = observation.cell,
                              .group = observation.group,
                              .step = observation.step,
                              .redrawn = observation.redrawn,
                              .trials = {},
                              .prediction = std::nullopt,
                              .estimate = std::nullopt});
      trials.emplace_back();
    }
    trials[entry->second].push_back(&observation);
  }
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    measurements[i].trials = read_trials(trials[i], where);
  }
  return measurements;
}

}  // namespace bloomlab::analysis
