#include "analysis/kinds/mutation_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "analysis/data/with_theory.hpp"
#include "core/catalogue.hpp"
#include "record/input_error.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;
using Kind = MutantTestKind;

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
};

std::uint64_t count(const Json& measured, const char* key) {
  return measured.at(key).get<std::uint64_t>();
}

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
  const std::uint64_t hits = count(measured, "false_positives");
  counted.queries = hits + count(measured, "true_negatives");
  counted.hits += hits;
  counted.false_negatives += count(measured, "false_negatives");
  counted.members += count(measured, "inserted");
  counted.set_bits += count(measured, "bits_set");
  counted.own_rates.push_back(measured.at("conditional_rate").get<double>());
}

std::vector<MutantCell> cells_of(const std::vector<record::Observation>& observations,
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

double ratio(double measured, double expected) {
  return expected > 0 ? measured / expected - 1 : unknown;
}

MutantTest false_negative_test(const MutantCell& cell, const Counted& counted) {
  const bool denies = counted.false_negatives > 0;
  return {
      .kind = Kind::false_negatives,
      .n = cell.n,
      .effect = static_cast<double>(counted.false_negatives) / static_cast<double>(counted.members),
      .p_value = denies ? 0.0 : 1.0,
      .caught = denies};
}

MutantTest set_bits_test(const MutantCell& cell, const Counted& counted,
                         const statistics::SetBitsLaw& law) {
  const std::size_t trials = counted.own_rates.size();
  const double mean = law.mean * static_cast<double>(trials);
  return {.kind = Kind::set_bits,
          .n = cell.n,
          .effect = ratio(static_cast<double>(counted.set_bits), mean),
          .p_value = statistics::test_set_bits(counted.set_bits, trials, law).p_value};
}

MutantTest rate_test(const MutantCell& cell, const Counted& counted,
                     const statistics::RateLaw& law) {
  const statistics::Sampling sampling{counted.own_rates.size(), counted.queries};
  return {.kind = Kind::rate,
          .n = cell.n,
          .queries = counted.queries,
          .effect = ratio(static_cast<double>(counted.hits), sampling.total() * law.rate),
          .p_value = statistics::test_ensemble_rate(counted.hits, sampling, law).p_value};
}

MutantTest own_rate_test(const MutantCell& cell, const Counted& counted) {
  double expected = 0;
  for (const double rate : counted.own_rates) expected += rate;
  expected *= static_cast<double>(counted.queries);
  return {.kind = Kind::own_rate,
          .n = cell.n,
          .queries = counted.queries,
          .effect = ratio(static_cast<double>(counted.hits), expected),
          .p_value =
              statistics::test_own_rates(counted.hits, counted.queries, counted.own_rates).p_value};
}

std::vector<MutantTest> tests_of(const MutantCell& cell, const RightLaw& law) {
  const Counted& first = cell.steps.begin()->second;
  std::vector<MutantTest> tests = {false_negative_test(cell, first)};
  if (law.set_bits) tests.push_back(set_bits_test(cell, first, *law.set_bits));
  for (const auto& [step, counted] : cell.steps) {
    if (law.rates) tests.push_back(rate_test(cell, counted, *law.rates));
    if (law.own_rate) tests.push_back(own_rate_test(cell, counted));
  }
  return tests;
}

/// Holm over all tests that can err. @return the level of its first step
double judge_family(std::vector<MutantVerdict>& verdicts) {
  std::vector<MutantTest*> family;
  std::vector<double> p_values;
  for (MutantVerdict& verdict : verdicts) {
    for (MutantTest& test : verdict.tests) {
      if (test.kind == Kind::false_negatives) continue;
      family.push_back(&test);
      p_values.push_back(test.p_value);
    }
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->caught = adjusted[i] <= thresholds::family_alpha;
  }
  return thresholds::family_alpha / static_cast<double>(std::max<std::size_t>(family.size(), 1));
}

/// What the test could have noticed at this level; NaN where it needs no level.
double detectable_effect(const MutantTest& test, const Counted& counted, const RightLaw& law,
                         double alpha) {
  const std::size_t trials = counted.own_rates.size();
  const statistics::Sampling sampling{trials, counted.queries};
  const statistics::TestPlan plan{.alpha = alpha, .power = thresholds::power};
  switch (test.kind) {
    case Kind::false_negatives:
      break;
    case Kind::set_bits:
      return statistics::minimum_detectable_set_bits_effect(law.set_bits->mean,
                                                            law.set_bits->variance, trials, plan);
    case Kind::rate:
      return statistics::minimum_detectable_effect(*law.rates, sampling, plan).either();
    case Kind::own_rate: {
      double sum = 0;
      for (const double rate : counted.own_rates) sum += rate;
      const statistics::RateLaw own{std::min(sum / static_cast<double>(trials), 1.0), 0.0};
      return statistics::minimum_detectable_effect(own, sampling, plan).either();
    }
  }
  return unknown;
}

/// Fills in what the tests of this cell could have noticed after the most queries.
void add_detectable(MutantVerdict& verdict, const MutantCell& cell, const RightLaw& law,
                    double alpha) {
  const Counted& last = cell.steps.rbegin()->second;
  for (MutantTest& test : verdict.tests) {
    if (test.n != cell.n || (test.queries != 0 && test.queries != last.queries)) continue;
    test.detectable = detectable_effect(test, last, law, alpha);
  }
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

MutantVerdict& verdict_of(std::vector<MutantVerdict>& verdicts, const MutantCell& cell) {
  const auto found =
      std::find_if(verdicts.begin(), verdicts.end(),
                   [&](const MutantVerdict& known) { return known.defect == cell.defect; });
  if (found != verdicts.end()) return *found;
  verdicts.push_back({.defect = cell.defect,
                      .filter = cell.filter.at("kind").get<std::string>(),
                      .is_control = cell.defect == cell.control,
                      .tests = {}});
  return verdicts.back();
}

/// Fewer keys first, then fewer queries, then the order of the kinds.
const MutantTest* best(const std::vector<MutantTest>& tests) {
  const auto rank = [](const MutantTest& test) {
    return std::tuple(test.n, test.queries, test.kind);
  };
  const MutantTest* found = nullptr;
  for (const MutantTest& test : tests) {
    if (!test.caught) continue;
    if (found == nullptr || rank(test) < rank(*found)) found = &test;
  }
  return found;
}

using statistics::RateLaw;
using statistics::SetBitsLaw;

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

}  // namespace

const MutantTest* MutantVerdict::first_catch() const& { return best(tests); }

std::vector<MutantVerdict> judge_mutants(const std::vector<record::Observation>& observations,
                                         const std::string& where) {
  const std::vector<MutantCell> cells = cells_of(observations, where);
  std::vector<RightLaw> laws;
  std::vector<MutantVerdict> verdicts;
  std::map<std::string, RightLaw> known;  // mutants of one filter share its laws
  for (const MutantCell& cell : cells) {
    const std::string key = cell.filter.dump() + cell.probe + "#" + std::to_string(cell.n);
    if (!known.contains(key)) known[key] = right_law(cell.filter, cell.probe, cell.n, where);
    laws.push_back(known.at(key));
    const std::vector<MutantTest> tests = tests_of(cell, laws.back());
    MutantVerdict& verdict = verdict_of(verdicts, cell);
    verdict.tests.insert(verdict.tests.end(), tests.begin(), tests.end());
  }
  const double alpha = judge_family(verdicts);
  for (MutantVerdict& verdict : verdicts) {
    if (verdict.is_control || verdict.first_catch() != nullptr) continue;
    verdict.equals_control = equals_control(verdict.defect, cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].defect == verdict.defect) add_detectable(verdict, cells[i], laws[i], alpha);
    }
  }
  return verdicts;
}

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

}  // namespace bloomlab::analysis
