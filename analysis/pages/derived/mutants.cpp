// Filters with seeded defects: from how many keys and queries on each is caught, by which test, and
// what the tests of one that nothing catches would have noticed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/data/with_theory.hpp"
#include "analysis/pages/tables.hpp"
#include "core/catalogue.hpp"
#include "record/input_error.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

namespace thresholds = statistics::thresholds;
using statistics::RateLaw;
using statistics::SetBitsLaw;

/// What theory says of the right filter that a mutant is compared with.
struct RightLaw {
  double rate = unknown;               ///< the closed form that it names
  std::optional<RateLaw> rates;        ///< with its variance, where theory has one
  std::optional<SetBitsLaw> set_bits;  ///< where theory has one
  /// Whether a filter's own rate follows from its bits: for independent probes, and in filters that
  /// choose positions themselves.
  bool own_rate = false;
};

std::uint64_t count_at(const Json& filter, const char* key) {
  return filter.at(key).get<std::uint64_t>();
}

void add_variance(RightLaw& law, double variance) {
  if (std::isnan(variance)) return;
  law.rates = RateLaw{law.rate, std::clamp(variance, 0.0, law.rate * (1 - law.rate))};
}

/// Slices are independent filters of one probe: means and variances of set bits add up, and the
/// rate is a product of independent fills.
void add_slices(RightLaw& law, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  SetBitsLaw bits{.mean = 0, .variance = 0, .limit = static_cast<double>(std::min(m, n * k))};
  double mean_square = 1;  // E of the squared rate
  double squared_mean = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    const std::uint64_t size = m / k + (i < m % k ? 1 : 0);
    const auto slice =
        evaluated({"standard_exact", {{"m", size}, {"n", n}, {"k", std::uint64_t{1}}}});
    const double mean = slice.number("mean_set_bits");
    const double variance = std::max(slice.number("var_set_bits"), 0.0);
    const double square = static_cast<double>(size) * static_cast<double>(size);
    bits.mean += mean;
    bits.variance += variance;
    mean_square *= (variance + mean * mean) / square;
    squared_mean *= mean * mean / square;
  }
  law.set_bits = bits;
  add_variance(law, mean_square - squared_mean);
}

/// The rate of a standard filter whose positions are those of the family, where it has a form.
std::optional<double> family_rate(const Json& filter, const std::string& probe, std::uint64_t n,
                                  const std::string& where) {
  try {
    const auto query = make_probe(probe, MultiplyShift::name)
                           .prediction(count_at(filter, "m"), n, count_at(filter, "k"));
    if (!query) return std::nullopt;
    return evaluated(*query).number();
  } catch (const std::invalid_argument& error) {
    throw record::InputError(where + ": " + error.what());
  }
}

/// The laws of the filter {"kind", ...} with n keys under this hashing scheme, empty where the
/// filter chooses positions itself. For double hashing the variance between filters is that of
/// independent probes, and so is the rate where the exact form does not reach.
RightLaw right_law(const Json& filter, const std::string& probe, std::uint64_t n,
                   const std::string& where) {
  const Prediction prediction = predict(Json{{"filter", filter}}, n, where);
  const bool independent = probe == Independent::name;
  RightLaw law;
  law.rate = prediction.rate;
  law.own_rate = independent || probe.empty();
  if (filter.at("kind") == Partitioned::name) {
    add_slices(law, count_at(filter, "m"), n, count_at(filter, "k"));
    return law;
  }
  if (!law.own_rate) law.rate = family_rate(filter, probe, n, where).value_or(law.rate);
  add_variance(law, prediction.sd_rate * prediction.sd_rate);
  if (!std::isnan(prediction.mean_set_bits) && independent) {
    const std::uint64_t limit = std::min(count_at(filter, "m"), n * count_at(filter, "k"));
    law.set_bits = SetBitsLaw{prediction.mean_set_bits, std::max(prediction.var_set_bits, 0.0),
                              static_cast<double>(limit)};
  }
  return law;
}

/// What the filters of one cell showed after so many absent keys each.
struct Counted {
  std::uint64_t queries = 0;
  std::uint64_t hits = 0;  // over all filters, as all below
  std::uint64_t false_negatives = 0;
  std::uint64_t members = 0;
  std::uint64_t set_bits = 0;
  std::vector<double> own_rates;

  friend bool operator==(const Counted&, const Counted&) = default;
};

/// One mutant with n keys.
struct MutantCell {
  std::string defect;
  std::string control;
  Json filter;
  std::string probe;
  std::uint64_t n = 0;
  std::map<std::uint64_t, Counted> steps;

  [[nodiscard]] bool is_control() const { return defect == control; }
};

MutantCell cell_of(const record::Observation& observation) {
  const Json& measured = observation.measured;
  return {.defect = observation.cell.at("defect").get<std::string>(),
          .control = measured.at("control").get<std::string>(),
          .filter = measured.at("filter"),
          .probe = measured.value("probe", ""),
          .n = observation.cell.at("n").get<std::uint64_t>(),
          .steps = {}};
}

void add(Counted& counted, const Json& measured) {
  const std::uint64_t hits = count_at(measured, "false_positives");
  counted.queries = hits + count_at(measured, "true_negatives");
  counted.hits += hits;
  counted.false_negatives += count_at(measured, "false_negatives");
  counted.members += count_at(measured, "inserted");
  counted.set_bits += count_at(measured, "bits_set");
  counted.own_rates.push_back(measured.at("conditional_rate").get<double>());
}

std::vector<MutantCell> cells_of(const record::Observations& observations,
                                 const std::string& where) {
  std::vector<MutantCell> cells;
  std::map<std::string, std::size_t> place_of;
  for (const record::Observation& observation : observations) {
    try {
      const auto [place, is_new] = place_of.try_emplace(observation.cell.dump(), cells.size());
      if (is_new) cells.push_back(cell_of(observation));
      add(cells[place->second].steps[observation.step.value_or(1)], observation.measured);
    } catch (const Json::exception& fault) {
      throw record::InputError(where + ": " + observation.cell.dump() +
                               " is no observation of a mutation matrix (" + fault.what() +
                               "); measure again with `bloomlab run --force`");
    }
  }
  return cells;
}

/// One test of one cell.
struct MutantTest {
  const MutantCell* cell = nullptr;
  const char* name = "";
  std::uint64_t queries = 0;  ///< absent keys queried of each filter for it; 0: none are needed
  double effect = unknown;    ///< measured / theory - 1; of false negatives: share of the members
  double p_value = 1.0;       ///< two-sided
  /// The smallest relative effect that it notices by this plan; none where it cannot err.
  std::function<double(const statistics::TestPlan&)> detectable_by = {};
  bool caught = false;  ///< rejected by Holm's procedure over all tests of the matrix

  [[nodiscard]] bool can_err() const { return static_cast<bool>(detectable_by); }
};

double ratio(double measured, double expected) {
  return expected > 0 ? measured / expected - 1 : unknown;
}

/// A denied member is certain: no right filter does that.
MutantTest false_negative_test(const MutantCell& cell, const Counted& counted) {
  const bool denies = counted.false_negatives > 0;
  return {
      .cell = &cell,
      .name = "false negatives",
      .effect = static_cast<double>(counted.false_negatives) / static_cast<double>(counted.members),
      .p_value = denies ? 0.0 : 1.0,
      .caught = denies};
}

MutantTest set_bits_test(const MutantCell& cell, const Counted& counted, const SetBitsLaw& law) {
  const std::size_t trials = counted.own_rates.size();
  const double mean = law.mean * static_cast<double>(trials);
  return {.cell = &cell,
          .name = "set bits",
          .effect = ratio(static_cast<double>(counted.set_bits), mean),
          .p_value = statistics::test_set_bits(counted.set_bits, trials, law).p_value,
          .detectable_by = [law, trials](const statistics::TestPlan& plan) {
            return statistics::minimum_detectable_set_bits_effect(law.mean, law.variance, trials,
                                                                  plan);
          }};
}

/// Hits against the right filter's rate and its variance between filters.
MutantTest rate_test(const MutantCell& cell, const Counted& counted, const RateLaw& law) {
  const statistics::Sampling sampling{counted.own_rates.size(), counted.queries};
  return {.cell = &cell,
          .name = "hits",
          .queries = counted.queries,
          .effect = ratio(static_cast<double>(counted.hits), sampling.total() * law.rate),
          .p_value = statistics::test_ensemble_rate(counted.hits, sampling, law).p_value,
          .detectable_by = [law, sampling](const statistics::TestPlan& plan) {
            return statistics::minimum_detectable_effect(law, sampling, plan).either();
          }};
}

/// Hits against the rate that the filters' own bits imply.
MutantTest own_rate_test(const MutantCell& cell, const Counted& counted) {
  double sum = 0;
  for (const double rate : counted.own_rates) sum += rate;
  const statistics::Sampling sampling{counted.own_rates.size(), counted.queries};
  const RateLaw own{std::min(sum / static_cast<double>(counted.own_rates.size()), 1.0), 0.0};
  return {.cell = &cell,
          .name = "hits by fill",
          .queries = counted.queries,
          .effect =
              ratio(static_cast<double>(counted.hits), sum * static_cast<double>(counted.queries)),
          .p_value =
              statistics::test_own_rates(counted.hits, counted.queries, counted.own_rates).p_value,
          .detectable_by = [own, sampling](const statistics::TestPlan& plan) {
            return statistics::minimum_detectable_effect(own, sampling, plan).either();
          }};
}

void add_tests(const MutantCell& cell, const RightLaw& law, std::vector<MutantTest>& tests) {
  const Counted& first = cell.steps.begin()->second;
  tests.push_back(false_negative_test(cell, first));
  if (law.set_bits) tests.push_back(set_bits_test(cell, first, *law.set_bits));
  for (const auto& [step, counted] : cell.steps) {
    if (law.rates) tests.push_back(rate_test(cell, counted, *law.rates));
    if (law.own_rate) tests.push_back(own_rate_test(cell, counted));
  }
}

/// Holm over all tests that can err. @return the level of its first step
double judge_family(std::vector<MutantTest>& tests) {
  std::vector<MutantTest*> family;
  std::vector<double> p_values;
  for (MutantTest& test : tests) {
    if (!test.can_err()) continue;
    family.push_back(&test);
    p_values.push_back(test.p_value);
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->caught = adjusted[i] <= thresholds::family_alpha;
  }
  return thresholds::family_alpha / static_cast<double>(std::max<std::size_t>(family.size(), 1));
}

/// Whether a mutant has the counts of its control, which shares its keys and seeds, wherever both
/// were measured.
bool equals_control(const std::string& defect, const std::vector<MutantCell>& cells) {
  bool compared = false;
  for (const MutantCell& cell : cells) {
    if (cell.defect != defect) continue;
    const auto control = std::find_if(cells.begin(), cells.end(), [&](const MutantCell& other) {
      return other.defect == cell.control && other.n == cell.n;
    });
    if (control == cells.end()) continue;
    if (control->steps != cell.steps) return false;
    compared = true;
  }
  return compared;
}

}  // namespace

void add_mutants(const Experiment& experiment, RowBuilder& rows) {
  std::vector<MutantCell> cells = cells_of(experiment.observations, experiment.file_name);
  std::vector<std::string> defects;  // in the order of their first observations
  for (const MutantCell& cell : cells) {
    if (std::ranges::count(defects, cell.defect) == 0) defects.push_back(cell.defect);
  }
  std::ranges::stable_sort(cells, {}, [&](const MutantCell& cell) {
    return std::ranges::find(defects, cell.defect) - defects.begin();
  });
  std::map<std::string, RightLaw> laws;  // mutants of one filter share them
  std::vector<MutantTest> tests;
  for (const MutantCell& cell : cells) {
    const std::string key = cell.filter.dump() + cell.probe + "#" + std::to_string(cell.n);
    if (!laws.contains(key)) {
      laws[key] = right_law(cell.filter, cell.probe, cell.n, experiment.file_name);
    }
    add_tests(cell, laws.at(key), tests);
  }
  const statistics::TestPlan plan{.alpha = judge_family(tests), .power = thresholds::power};
  std::map<std::string, bool> missed;  // mutants that nothing catches: whether they equal controls
  for (const MutantCell& cell : cells) {
    const bool caught = std::ranges::any_of(tests, [&](const MutantTest& test) {
      return test.cell->defect == cell.defect && test.caught;
    });
    if (!cell.is_control() && !caught) missed[cell.defect] = equals_control(cell.defect, cells);
  }
  for (const MutantTest& test : tests) {
    const MutantCell& cell = *test.cell;
    const auto uncaught = missed.find(cell.defect);
    const bool is_last = test.queries == 0 || test.queries == cell.steps.rbegin()->second.queries;
    rows.begin_row();
    rows.set("defect", cell.defect);
    rows.set("filter", cell.filter.at("kind").get<std::string>());
    rows.set("is_control", truth_of(cell.is_control()));
    rows.set("equals_control", truth_of(uncaught != missed.end() && uncaught->second));
    rows.set("test", test.name);
    rows.set("n", signed_of(cell.n));
    rows.set("queries", signed_of(test.queries));
    rows.set_number("effect", test.effect);
    rows.set_number("p", test.p_value);
    rows.set("caught", truth_of(test.caught));
    rows.set_number("detectable", uncaught != missed.end() && is_last && test.can_err()
                                      ? test.detectable_by(plan)
                                      : unknown);
  }
}

}  // namespace bloomlab::analysis::pages
