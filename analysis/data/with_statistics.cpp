#include "analysis/data/with_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/json_view.hpp"
#include "record/partial_match.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/sequential.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// Whether the filter shows its bits, and sets them by independent probes.
bool has_independent_probes(const Json& cell) {
  return !is_from_outside(cell) && word_at(cell, "/hash/probe") == "independent";
}

/// What theory says of the rate, where it knows the spread between filters.
std::optional<statistics::RateLaw> rate_law(const Measurement& measurement) {
  if (!measurement.prediction) return std::nullopt;
  const double rate = measurement.prediction->rate;
  const double variance = measurement.prediction->sd_rate * measurement.prediction->sd_rate;
  if (!(rate >= 0 && rate <= 1) || std::isnan(variance)) return std::nullopt;
  return statistics::RateLaw{rate, std::min(variance, rate * (1 - rate))};
}

statistics::Sampling sampling_of(const Measurement& measurement) {
  return {static_cast<std::uint64_t>(measurement.trials.size()), measurement.trials.queries()[0]};
}

/// Largest possible number of set bits, where one layer has all of them.
double most_set_bits(const Measurement& measurement) {
  const double k = number_at(measurement.cell(), "/filter/k");
  const Trials& trials = measurement.trials;
  if (trials[Trials::layers][0] != 1 || std::isnan(k))
    return std::numeric_limits<double>::infinity();
  return std::min(static_cast<double>(trials[Trials::bits][0]),
                  k * static_cast<double>(trials[Trials::inserted][0]));
}

Test test_of(std::string_view name, const statistics::TestResult& result) {
  return {.name = name,
          .z = result.z,
          .p_value = result.p_value,
          .normal = result.method == statistics::TestMethod::normal};
}

std::optional<Test> fill_test(const Measurement& measurement) {
  const auto& prediction = measurement.prediction;
  if (!prediction || !has_independent_probes(measurement.cell())) return std::nullopt;
  if (std::isnan(prediction->mean_set_bits) || std::isnan(prediction->var_set_bits)) {
    return std::nullopt;
  }
  const double limit = most_set_bits(measurement);
  const statistics::TestResult result = statistics::test_set_bits(
      measurement.trials[Trials::bits_set].sum(), sampling_of(measurement).trials,
      {std::min(prediction->mean_set_bits, limit), std::max(prediction->var_set_bits, 0.0), limit});
  return test_of("fill", result);
}

/// Whether every filter was asked as often and had as many hits.
bool counted_alike(const Measurement& m) {
  return m.asked_equally() &&
         (m.trials[Trials::false_positives] == m.trials[Trials::false_positives][0]).all();
}

/// The law that hits are tested by: theory's, and where theory knows no spread between filters and
/// they show none (all without a hit, mostly), that of one filter: a spread of 0 is too little to
/// test a mean by.
std::optional<statistics::RateLaw> law_of_test(const Measurement& measurement) {
  if (const auto law = rate_law(measurement)) return law;
  if (!measurement.prediction || !counted_alike(measurement)) return std::nullopt;
  const double rate = measurement.prediction->rate;
  if (!(rate > 0 && rate <= 1)) return std::nullopt;
  return statistics::RateLaw{rate, 0.0};
}

/// Hits against the closed form: by the law of the test where there is one and filters were asked
/// equally often, else by the spread that they show.
std::optional<statistics::TestResult> test_rate(const Measurement& measurement,
                                                const Estimate& estimate) {
  if (!measurement.prediction || std::isnan(measurement.prediction->rate)) return std::nullopt;
  const auto law = law_of_test(measurement);
  if (law && measurement.asked_equally()) {
    return statistics::test_ensemble_rate(estimate.hits, sampling_of(measurement), *law);
  }
  if (measurement.trials.size() < 2) return std::nullopt;
  return statistics::test_mean_rate(list_of(measurement.trials.rates()),
                                    measurement.prediction->rate, estimate.hits, estimate.queries);
}

void estimate_rate(const Measurement& measurement, Estimate& estimate) {
  estimate.hits = measurement.trials[Trials::false_positives].sum();
  estimate.queries = measurement.trials.queries().sum();
  estimate.rate = ensemble_rate(measurement, thresholds::interval_level);
  estimate.these_filters = statistics::estimate_these_filters(estimate.hits, estimate.queries,
                                                              thresholds::interval_level);
  if (const auto result = test_rate(measurement, estimate)) {
    estimate.rate_test = test_of("rate", *result);
  }
}

void estimate_by_fill(const Measurement& measurement, Estimate& estimate) {
  const auto rates = list_of(measurement.trials.conditional_rate);
  if (std::isnan(rates.front())) return;  // a filter from outside shows no bits
  estimate.fill_is_estimate = has_independent_probes(measurement.cell());
  if (rates.size() >= 2) {
    const auto mean = statistics::estimate_mean(rates, thresholds::interval_level);
    estimate.fill_rate = mean.value;
    estimate.fill_interval = mean.interval;
  } else {
    estimate.fill_rate = rates.front();
    const auto law = rate_law(measurement);
    if (law && estimate.fill_is_estimate) {
      estimate.fill_interval =
          statistics::estimate_mean(rates, law->variance, thresholds::interval_level).interval;
    }
  }
}

/// Standard deviation of the rates of single filters, as observed.
double deviation_of_rates(const Measurement& measurement) {
  const Reals rates = measurement.trials.rates();
  const auto count = static_cast<double>(rates.size());
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / count;
  double squares = 0.0;
  for (const double rate : rates) squares += (rate - mean) * (rate - mean);
  return std::sqrt(squares / (count - 1.0));
}

/// Above a rate of one half a relative increase soon has no room; the decrease counts alone then.
double detectable_effect(const Measurement& measurement, double alpha) {
  const statistics::TestPlan plan{.alpha = alpha, .power = thresholds::power};
  if (!measurement.estimate->rate_test || !(measurement.prediction->rate > 0)) return unknown;
  const auto law = law_of_test(measurement);
  if (!law || !measurement.asked_equally()) {
    return statistics::minimum_detectable_mean_effect(measurement.prediction->rate,
                                                      deviation_of_rates(measurement),
                                                      sampling_of(measurement).trials, plan);
  }
  const auto effect = statistics::minimum_detectable_effect(*law, sampling_of(measurement), plan);
  const bool no_room_above = law->rate > 0.5 && std::isinf(effect.increase);
  return no_room_above ? effect.decrease : effect.either();
}

double detectable_fill_effect(const Measurement& measurement, double alpha) {
  const auto& prediction = measurement.prediction;
  if (!measurement.estimate->fill_test || !(prediction->mean_set_bits > 0)) return unknown;
  return statistics::minimum_detectable_set_bits_effect(
      prediction->mean_set_bits, std::max(prediction->var_set_bits, 0.0),
      sampling_of(measurement).trials, {.alpha = alpha, .power = thresholds::power});
}

std::vector<Test*> all_tests(std::vector<Measurement>& measurements) {
  std::vector<Test*> tests;
  for (Measurement& measurement : measurements) {
    for (auto* test : {&measurement.estimate->rate_test, &measurement.estimate->fill_test}) {
      if (*test) tests.push_back(&**test);
    }
  }
  return tests;
}

/// Whether some cells share keys and seeds.
bool share_seeds(const std::vector<Measurement>& measurements) {
  std::map<std::string_view, const record::JsonText*> cell_of;
  return std::any_of(measurements.begin(), measurements.end(), [&](const Measurement& m) {
    const auto [entry, is_new] = cell_of.try_emplace(m.group, &m.cell);
    return !is_new && (m.step || *entry->second != m.cell);
  });
}

bool is_flagged(double adjusted_p) { return adjusted_p <= thresholds::family_alpha; }

void judge_family(const std::vector<Test*>& tests, bool shares_seeds) {
  std::vector<double> p_values;
  for (const Test* test : tests) p_values.push_back(test->p_value);
  const std::vector<double> adjusted = statistics::holm(p_values);
  const std::vector<double> shares = shares_seeds ? statistics::benjamini_yekutieli(p_values)
                                                  : statistics::benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    tests[i]->adjusted_p = adjusted[i];
    tests[i]->flagged = is_flagged(adjusted[i]);
    tests[i]->suspect = shares[i] <= thresholds::suspect_share;
  }
}

/// Rates and tests of all measurements, not yet judged.
void estimate_all(std::vector<Measurement>& measurements) {
  for_each_index(measurements.size(), [&](std::size_t i) {
    Estimate& estimate = measurements[i].estimate.emplace();
    estimate_rate(measurements[i], estimate);
    estimate.fill_test = fill_test(measurements[i]);
  });
}

/// The same, judged as one family; how many tests.
std::size_t test_all(std::vector<Measurement>& measurements) {
  estimate_all(measurements);
  const std::vector<Test*> tests = all_tests(measurements);
  judge_family(tests, share_seeds(measurements));
  return tests.size();
}

bool fits(const ExpectedFlag& entry, const Json& cell, const Test& test) {
  return entry.test == test.name && record::matches(entry.cell, cell);
}

std::optional<ExpectedFlag> expecting(const std::vector<ExpectedFlag>& expected, const Json& cell,
                                      const Test& test) {
  const auto found = std::find_if(expected.begin(), expected.end(), [&](const ExpectedFlag& entry) {
    return fits(entry, cell, test);
  });
  return found == expected.end() ? std::nullopt : std::optional(*found);
}

/// The cells that an entry expects to be flagged (at any step), and that are not.
std::vector<ExpectedFlag> not_flagged(const ExpectedFlag& entry,
                                      const std::vector<Measurement>& measurements,
                                      const std::vector<FlaggedCell>& flagged) {
  std::vector<ExpectedFlag> missed;
  for (const Measurement& measurement : measurements) {
    const Json cell = measurement.cell();
    if (!record::matches(entry.cell, cell)) continue;
    if (!missed.empty() && missed.back().cell == cell) continue;
    const bool seen = std::any_of(flagged.begin(), flagged.end(), [&](const FlaggedCell& flag) {
      return flag.cell == cell && flag.test.name == entry.test;
    });
    if (!seen) missed.push_back({cell, entry.test, entry.reason, entry.certain});
  }
  return missed;
}

}  // namespace

statistics::Estimate ensemble_rate(const Measurement& measurement, double level) {
  if (!measurement.asked_equally()) {
    if (measurement.trials.size() >= 2) {
      return statistics::estimate_mean(list_of(measurement.trials.rates()), level);
    }
    return statistics::estimate_at_fixed_hits(measurement.trials[Trials::false_positives][0],
                                              measurement.trials.queries()[0], level);
  }
  return statistics::estimate_ensemble(list_of(measurement.trials[Trials::false_positives]),
                                       sampling_of(measurement).queries, rate_law(measurement),
                                       level);
}

std::vector<Measurement> with_statistics(std::vector<Measurement> measurements) {
  const std::size_t tests = test_all(measurements);
  const double alpha =
      thresholds::family_alpha / static_cast<double>(std::max(tests, std::size_t{1}));
  for_each_index(measurements.size(), [&](std::size_t i) {
    const Measurement& measurement = measurements[i];
    Estimate& estimate = *measurements[i].estimate;
    estimate_by_fill(measurement, estimate);
    estimate.ladder = summed_up(ladder_of(measurement, statistics::Further::left_out));
    estimate.detectable = detectable_effect(measurement, alpha);
    estimate.fill_detectable = detectable_fill_effect(measurement, alpha);
    estimate.fill_based_only = estimate.detectable > thresholds::fill_only_effect;
  });
  return measurements;
}

Family family_of(const std::vector<Measurement>& measurements) {
  Family family{.shares_seeds = share_seeds(measurements), .suspects = 0, .squares = std::nullopt};
  std::vector<double> z;
  for (const Measurement& measurement : measurements) {
    const Estimate& estimate = *measurement.estimate;
    for (const auto* test : {&estimate.rate_test, &estimate.fill_test}) {
      if (*test && (*test)->suspect) ++family.suspects;
    }
    if (estimate.rate_test && estimate.rate_test->normal) z.push_back(estimate.rate_test->z);
  }
  if (!family.shares_seeds && !z.empty()) family.squares = statistics::sum_of_squares(z);
  return family;
}

std::vector<ExpectedFlag> expected_flags(const Json& config, const std::string& where) {
  const Json entries = {{"expected_flags", config.contains("expected_flags")
                                               ? config.at("expected_flags")
                                               : Json::array()}};
  static constexpr std::array<std::string_view, 1> known = {"expected_flags"};
  const record::Origin origin{where};
  return record::read_expected_flags(
      record::ObjectReader(record::JsonView(entries, origin, "/config"), "a config", known));
}

FlagCheck check_flags(const std::vector<Measurement>& measurements,
                      const std::vector<ExpectedFlag>& expected) {
  FlagCheck check;
  for (const Measurement& measurement : measurements) {
    for (const auto* test : {&measurement.estimate->rate_test, &measurement.estimate->fill_test}) {
      if (!*test) continue;
      ++check.tests;
      if (!(*test)->flagged) continue;
      check.flagged.push_back({.cell = measurement.cell(),
                               .step = measurement.step,
                               .test = **test,
                               .expected = expecting(expected, measurement.cell(), **test)});
    }
  }
  for (const ExpectedFlag& entry : expected) {
    if (!entry.certain) continue;
    for (ExpectedFlag& missed : not_flagged(entry, measurements, check.flagged)) {
      check.unseen.push_back(std::move(missed));
    }
  }
  return check;
}

std::string_view Tally::sentence() const {
  if (tests == 0) return "verdict.nothing";
  if (flags() == 0) return "verdict.none";
  return unexpected == flags() ? "verdict" : "verdict.foreseen";
}

Tally tally_of(std::span<const Experiment> experiments) {
  Tally tally;
  for (const Experiment& experiment : experiments) {
    tally.tests += experiment.flags.tests;
    for (const Measurement& m : experiment.measurements) {
      if (is_from_outside(m.cell()) && m.estimate->rate_test) --tally.tests;
    }
    for (const FlaggedCell& flag : experiment.flags.flagged) {
      if (is_from_outside(flag.cell)) continue;
      if (!flag.expected) {
        ++tally.unexpected;
      } else {
        ++(flag.expected->certain ? tally.predicted : tally.possible);
      }
    }
  }
  return tally;
}

void FlagSearch::add(std::span<const record::Observation> rows) {
  tabulator_.add(rows);
  if (tabulator_.size() >= at_once_) test_cells();
}

void FlagSearch::test_cells() {
  std::vector<Measurement> measurements = with_theory(tabulator_.take(), where_);
  estimate_all(measurements);
  for (const Measurement& measurement : measurements) {
    for (const auto* test : {&measurement.estimate->rate_test, &measurement.estimate->fill_test}) {
      if (!*test) continue;
      // Holm's procedure makes no p-value smaller.
      if ((*test)->p_value <= thresholds::family_alpha) {
        candidates_.push_back({p_values_.size(),
                               {.cell = measurement.cell(),
                                .step = measurement.step,
                                .test = **test,
                                .expected = std::nullopt}});
      }
      p_values_.push_back((*test)->p_value);
    }
  }
}

std::vector<FlaggedCell> FlagSearch::flagged(const Json& config) {
  test_cells();
  const std::vector<ExpectedFlag> expected = expected_flags(config, where_);
  const std::vector<double> adjusted = statistics::holm(p_values_);
  std::vector<FlaggedCell> flags;
  for (Candidate& candidate : candidates_) {
    FlaggedCell& flag = candidate.flag;
    flag.test.adjusted_p = adjusted[candidate.place];
    flag.test.flagged = is_flagged(flag.test.adjusted_p);
    if (!flag.test.flagged) continue;
    flag.expected = expecting(expected, flag.cell, flag.test);
    flags.push_back(std::move(flag));
  }
  return flags;
}

}  // namespace bloomlab::analysis
