// Every function says which of its arguments it refuses, by its own name: what a function that it
// calls would say, or would not notice, is not enough.

#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "statistics/coverage.hpp"
#include "statistics/durations.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/equivalence.hpp"
#include "statistics/fit.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/power.hpp"
#include "statistics/sequential.hpp"
#include "statistics/test.hpp"
#include "statistics/two_rates.hpp"

using namespace bloomlab::statistics;

namespace {

struct Refused {
  std::string start;  ///< of what is said
  std::function<void()> call;
};

void check(const std::vector<Refused>& all) {
  for (const Refused& one : all) {
    INFO(one.start);
    CHECK_THROWS_WITH(one.call(), Catch::StartsWith(one.start));
  }
}

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr std::uint64_t too_many = (std::uint64_t{1} << 53) + 1;
constexpr RateLaw law{0.1, 1e-4};
constexpr RateLaw no_law{1.5, 0.0};
constexpr RateLaw no_variance{0.1, -1.0};
constexpr Sampling sampling{10, 1000};
constexpr Sampling no_sampling{0, 1000};
constexpr TestPlan plan{0.05, 0.9};
const std::vector<double> values{1.0, 2.0, 4.0, 8.0};
const std::vector<std::uint64_t> hits{100, 90, 110, 95, 105, 100};

}  // namespace

TEST_CASE("levels, counts and laws of intervals and estimates are checked by each function",
          "[statistics][errors]") {
  const std::vector<std::uint64_t> beyond{1001};
  check({
      {"clopper_pearson: level is 1", [] { static_cast<void>(clopper_pearson(1, 10, 1.0)); }},
      {"clopper_pearson: hits", [] { static_cast<void>(clopper_pearson(11, 10, 0.9)); }},
      {"wilson: level is 0", [] { static_cast<void>(wilson(1, 10, 0.0)); }},
      {"wilson: hits", [] { static_cast<void>(wilson(11, 10, 0.9)); }},
      {"score_interval: share of hits",
       [] { static_cast<void>(score_interval(1.5, 9.0, 0.0, 2.0)); }},
      {"score_interval: draws", [] { static_cast<void>(score_interval(0.5, 0.0, 0.0, 2.0)); }},
      {"score_interval: quantile", [] { static_cast<void>(score_interval(0.5, 9.0, 0.0, 0.0)); }},
      {"score_interval: dispersion",
       [] { static_cast<void>(score_interval(0.5, 10.0, -0.11, 2.0)); }},
      {"exact_coverage: queries", [] { static_cast<void>(exact_coverage(wilson, 0, 0.5, 0.9)); }},
      {"exact_coverage: rate", [] { static_cast<void>(exact_coverage(wilson, 9, 1.5, 0.9)); }},
      {"exact_coverage: level", [] { static_cast<void>(exact_coverage(wilson, 9, 0.5, 1.0)); }},
      {"estimate_these_filters: hits",
       [] { static_cast<void>(estimate_these_filters(11, 10, 0.9)); }},
      {"estimate_ensemble: level is 1",
       [] { static_cast<void>(estimate_ensemble(hits, 1000, law, 1.0)); }},
      {"estimate_ensemble: hits",
       [&] { static_cast<void>(estimate_ensemble(beyond, 1000, law, 0.9)); }},
      {"estimate_ensemble: trials",
       [] { static_cast<void>(estimate_ensemble({}, 1000, law, 0.9)); }},
      {"estimate_with_law: level",
       [] { static_cast<void>(estimate_with_law(1, sampling, law, 0.0)); }},
      {"estimate_with_law: hits",
       [] { static_cast<void>(estimate_with_law(10'001, sampling, law, 0.9)); }},
      {"estimate_with_law: rate",
       [] { static_cast<void>(estimate_with_law(1, sampling, no_law, 0.9)); }},
      {"estimate_at_fixed_hits: level",
       [] { static_cast<void>(estimate_at_fixed_hits(2, 10, 1.0)); }},
      {"estimate_at_fixed_hits: hits is 1; it must be at least 2",
       [] { static_cast<void>(estimate_at_fixed_hits(1, 10, 0.9)); }},
      {"estimate_at_fixed_hits: hits",
       [] { static_cast<void>(estimate_at_fixed_hits(11, 10, 0.9)); }},
      {"next_batch_end: queries done", [] { static_cast<void>(next_batch_end(too_many)); }},
      {"needed_hits: level",
       [] {
         static_cast<void>(needed_hits({0.05, 1.0}));
       }},
      {"needed_hits: relative half-width",
       [] {
         static_cast<void>(needed_hits({0.11, 0.9}));
       }},
      {"precise_enough: hits", [] { static_cast<void>(precise_enough(11, 10, 5)); }},
      {"precise_enough: needed hits", [] { static_cast<void>(precise_enough(1, 10, 0)); }},
      {"EnsemblePrecision: trials is 9",
       [] {
         static_cast<void>(EnsemblePrecision({0.05, 0.9}, 9));
       }},
      {"EnsemblePrecision: number of counts",
       [] {
         static_cast<void>(EnsemblePrecision({0.05, 0.9}, 10).decide(hits, 1000));
       }},
      {"EnsemblePrecision: hits",
       [] {
         const std::vector<std::uint64_t> many(10, 1001);
         static_cast<void>(EnsemblePrecision({0.05, 0.9}, 10).decide(many, 1000));
       }},
  });
}

TEST_CASE("arguments of tests and of comparisons are checked by each function",
          "[statistics][errors]") {
  const std::vector<double> wrong{0.1, 1.5};
  const std::vector<double> right{0.1, 0.2};
  const std::vector<std::uint64_t> queries(hits.size(), 1000);
  const std::vector<std::uint64_t> short_queries(hits.size() - 1, 1000);
  const std::vector<std::uint64_t> few_queries(hits.size(), 99);
  const std::vector<std::uint64_t> other_queries(hits.size(), 2000);
  const FilterCounts good{hits, queries};
  const FilterCounts none{};
  const FilterCounts uneven{hits, short_queries};
  const FilterCounts beyond{hits, few_queries};
  const FilterCounts other{hits, other_queries};
  RateChange change;
  change.relative_error = 0.1;
  check({
      {"test_ensemble_rate: rate",
       [] { static_cast<void>(test_ensemble_rate(1, sampling, no_law)); }},
      {"test_ensemble_rate: rate variance",
       [] { static_cast<void>(test_ensemble_rate(1, sampling, no_variance)); }},
      {"test_ensemble_rate: trials",
       [] { static_cast<void>(test_ensemble_rate(1, no_sampling, law)); }},
      {"test_ensemble_rate: hits",
       [] { static_cast<void>(test_ensemble_rate(10'001, sampling, law)); }},
      {"test_own_rates: a rate is 1.5", [&] { static_cast<void>(test_own_rates(1, 10, wrong)); }},
      {"test_own_rates: trials", [] { static_cast<void>(test_own_rates(1, 10, {})); }},
      {"test_mean_rate: number of filters beyond the first",
       [&] { static_cast<void>(test_mean_rate(std::span(right).first(1), 0.1)); }},
      {"test_mean_rate: expected", [&] { static_cast<void>(test_mean_rate(right, 1.5)); }},
      {"test_mean_rate: a rate", [&] { static_cast<void>(test_mean_rate(wrong, 0.1)); }},
      {"test_set_bits: trials",
       [] {
         static_cast<void>(test_set_bits(1, 0, {10.0, 1.0}));
       }},
      {"test_set_bits: mean",
       [] {
         static_cast<void>(test_set_bits(1, 1, {11.0, 1.0, 10.0}));
       }},
      {"test_set_bits: variance",
       [] {
         static_cast<void>(test_set_bits(1, 1, {10.0, -1.0}));
       }},
      {"compare_with_theory: rate is 0; it must be above 0",
       [] {
         static_cast<void>(compare_with_theory(1, sampling, {0.0, 0.0}, Further::left_out));
       }},
      {"compare_with_theory: rate is 1.5",
       [] { static_cast<void>(compare_with_theory(1, sampling, no_law, Further::left_out)); }},
      {"compare_with_theory: trials",
       [] { static_cast<void>(compare_with_theory(1, no_sampling, law, Further::left_out)); }},
      {"compare_with_theory: hits",
       [] { static_cast<void>(compare_with_theory(10'001, sampling, law, Further::left_out)); }},
      {"compare_with_theory: rate is 1.5",
       [] { static_cast<void>(compare_with_theory(hits, 1000, no_law, Further::left_out)); }},
      {"compare_rates: number of filters",
       [&] { static_cast<void>(compare_rates(none, good, law, 0.9)); }},
      {"compare_rates: number of filters",
       [&] { static_cast<void>(compare_rates(good, none, law, 0.9)); }},
      {"compare_rates: number of queries' entries is 5",
       [&] { static_cast<void>(compare_rates(good, uneven, law, 0.9)); }},
      {"compare_rates: hits", [&] { static_cast<void>(compare_rates(beyond, good, law, 0.9)); }},
      {"compare_rates: hits", [&] { static_cast<void>(compare_rates(good, beyond, law, 0.9)); }},
      {"compare_rates: rate", [&] { static_cast<void>(compare_rates(good, good, no_law, 0.9)); }},
      {"compare_rates: level", [&] { static_cast<void>(compare_rates(good, good, law, 0.0)); }},
      {"compare_paired_rates: number of filters",
       [&] { static_cast<void>(compare_paired_rates(good, other, law, 0.9)); }},
      {"compare_rates: number of filters",
       [&] { static_cast<void>(compare_paired_rates(none, none, law, 0.9)); }},
      {"compare_rates: number of queries' entries",
       [&] { static_cast<void>(compare_paired_rates(good, uneven, law, 0.9)); }},
      {"compare_paired_rates: level",
       [&] { static_cast<void>(compare_paired_rates(good, good, law, 1.0)); }},
      {"compare_counts: rate",
       [] { static_cast<void>(compare_counts(1, sampling, 1, sampling, no_law, 0.9)); }},
      {"compare_counts: level",
       [] { static_cast<void>(compare_counts(1, sampling, 1, sampling, law, 0.0)); }},
      {"compare_counts: trials",
       [] { static_cast<void>(compare_counts(1, no_sampling, 1, sampling, law, 0.9)); }},
      {"compare_counts: hits",
       [] { static_cast<void>(compare_counts(1, sampling, 10'001, sampling, law, 0.9)); }},
      {"detectable_change: alpha", [&] { static_cast<void>(detectable_change(change, 0.0, 0.9)); }},
      {"detectable_change: power",
       [&] { static_cast<void>(detectable_change(change, 0.05, 1.0)); }},
      {"design_effect: rate", [] { static_cast<void>(design_effect(no_law, 10)); }},
      {"dispersion: rate", [] { static_cast<void>(dispersion(no_law, sampling)); }},
      {"dispersion: trials", [] { static_cast<void>(dispersion(law, no_sampling)); }},
      {"HitLaw: rate", [] { static_cast<void>(HitLaw(no_law, sampling)); }},
      {"HitLaw: trials", [] { static_cast<void>(HitLaw(law, no_sampling)); }},
  });
}

TEST_CASE("arguments of plans, fits and durations are checked by each function",
          "[statistics][errors]") {
  const std::vector<double> infinite{1.0, endless, 2.0, 3.0};
  const std::vector<double> many(8193, 1.0);
  const std::vector<std::vector<double>> one{{1.0, 2.0, 3.0, 4.0}};
  const std::vector<std::vector<double>> shorter{{1.0, 2.0, 3.0}};
  const std::vector<std::vector<double>> not_finite{infinite};
  const std::vector<double> negative{1.0, -2.0, 4.0, 8.0};
  const TestPlan no_alpha{0.0, 0.9};
  const TestPlan no_power{0.05, 1.0};
  const TestPlan weak{0.5, 0.4};
  std::vector<Refused> plans;
  for (const auto& [bad, start] : {std::pair(no_alpha, "alpha is 0"),
                                   {no_power, "power is 1"},
                                   {weak, "power is 0.4; it must be above alpha"}}) {
    plans.push_back({std::string("minimum_detectable_effect: ") + start, [bad = bad] {
                       static_cast<void>(minimum_detectable_effect(law, sampling, bad));
                     }});
    plans.push_back({std::string("minimum_detectable_mean_effect: ") + start, [bad = bad] {
                       static_cast<void>(minimum_detectable_mean_effect(0.1, 0.01, 10, bad));
                     }});
    plans.push_back({std::string("minimum_detectable_set_bits_effect: ") + start, [bad = bad] {
                       static_cast<void>(minimum_detectable_set_bits_effect(9.0, 1.0, 10, bad));
                     }});
    plans.push_back({std::string("queries_to_detect: ") + start,
                     [bad = bad] { static_cast<void>(queries_to_detect(law, 10, 0.1, bad)); }});
    plans.push_back({std::string("trials_to_detect: ") + start,
                     [bad = bad] { static_cast<void>(trials_to_detect(law, 0.1, bad)); }});
  }
  check(plans);
  check({
      {"minimum_detectable_effect: rate",
       [] { static_cast<void>(minimum_detectable_effect(no_law, sampling, plan)); }},
      {"minimum_detectable_effect: trials",
       [] { static_cast<void>(minimum_detectable_effect(law, no_sampling, plan)); }},
      {"minimum_detectable_mean_effect: mean is 0",
       [] { static_cast<void>(minimum_detectable_mean_effect(0.0, 0.1, 9, plan)); }},
      {"minimum_detectable_mean_effect: mean is inf",
       [] { static_cast<void>(minimum_detectable_mean_effect(endless, 0.1, 9, plan)); }},
      {"minimum_detectable_mean_effect: deviation",
       [] { static_cast<void>(minimum_detectable_mean_effect(0.1, -0.1, 9, plan)); }},
      {"minimum_detectable_mean_effect: filters beyond the first is 0",
       [] { static_cast<void>(minimum_detectable_mean_effect(0.1, 0.1, 1, plan)); }},
      {"minimum_detectable_mean_effect: filters beyond the first is 0",
       [] { static_cast<void>(minimum_detectable_mean_effect(0.1, 0.1, 0, plan)); }},
      {"minimum_detectable_set_bits_effect: variance",
       [] { static_cast<void>(minimum_detectable_set_bits_effect(9.0, -1.0, 9, plan)); }},
      {"minimum_detectable_set_bits_effect: trials",
       [] { static_cast<void>(minimum_detectable_set_bits_effect(9.0, 1.0, 0, plan)); }},
      {"minimum_detectable_set_bits_effect: mean is inf",
       [] { static_cast<void>(minimum_detectable_set_bits_effect(endless, 1.0, 9, plan)); }},
      {"queries_to_detect: rate",
       [] { static_cast<void>(queries_to_detect(no_law, 1, 0.1, plan)); }},
      {"queries_to_detect: trials",
       [] { static_cast<void>(queries_to_detect(law, 0, 0.1, plan)); }},
      {"queries_to_detect: effect",
       [] { static_cast<void>(queries_to_detect(law, 1, 0.0, plan)); }},
      {"trials_to_detect: rate is 1.5",
       [] { static_cast<void>(trials_to_detect(no_law, 0.1, plan)); }},
      {"trials_to_detect: rate is 0",
       [] {
         static_cast<void>(trials_to_detect({0.0, 0.0}, 0.1, plan));
       }},
      {"trials_to_detect: effect", [] { static_cast<void>(trials_to_detect(law, 0.0, plan)); }},
      {"trials_to_detect: filters needed",
       [] { static_cast<void>(trials_to_detect(law, 1e-12, plan)); }},
      {"median: number of values", [] { static_cast<void>(median({})); }},
      {"median: a value is inf", [&] { static_cast<void>(median(infinite)); }},
      {"bootstrap_median: number of values",
       [] { static_cast<void>(bootstrap_median({}, 0.9, 1)); }},
      {"bootstrap_median: level", [] { static_cast<void>(bootstrap_median(values, 1.0, 1)); }},
      {"compare_durations: number of values is 0",
       [] { static_cast<void>(compare_durations(values, {})); }},
      {"compare_durations: number of values is 8193; it must not exceed 8192",
       [&] { static_cast<void>(compare_durations(many, values)); }},
      {"compare_durations: a value",
       [&] { static_cast<void>(compare_durations(infinite, values)); }},
      {"shift_interval: number of values is 0",
       [] { static_cast<void>(shift_interval({}, values, 0.9)); }},
      {"shift_interval: number of values is 8193",
       [&] { static_cast<void>(shift_interval(values, many, 0.9)); }},
      {"shift_interval: level", [] { static_cast<void>(shift_interval(values, values, 0.0)); }},
      {"fit_linear: number of points is 2",
       [&] { static_cast<void>(fit_linear(one, std::span(values).first(2), 0.9)); }},
      {"fit_linear: a value", [&] { static_cast<void>(fit_linear(one, infinite, 0.9)); }},
      {"fit_linear: length of a predictor",
       [&] { static_cast<void>(fit_linear(shorter, values, 0.9)); }},
      {"fit_linear: a predictor's value",
       [&] { static_cast<void>(fit_linear(not_finite, values, 0.9)); }},
      {"fit_linear: level", [&] { static_cast<void>(fit_linear(one, values, 1.0)); }},
      {"fit_power_law: a value", [&] { static_cast<void>(fit_power_law(one, negative, 0.9)); }},
      {"bonferroni_level: ", [] { static_cast<void>(bonferroni_level(1.0, 5)); }},
  });
}

TEST_CASE("no queries, and counts and laws out of range, are refused by each function",
          "[statistics][errors]") {
  static constexpr Sampling no_queries{10, 0};
  static constexpr Sampling beyond{std::uint64_t{1} << 27, (std::uint64_t{1} << 26) + 1};
  const std::vector<std::uint64_t> none(10, 0);
  std::vector<Refused> all;
  for (const auto& [wrong, what] : {std::pair(no_queries, "queries is 0; it must lie in 1 .. 2^53"),
                                    {no_sampling, "trials is 0; it must lie in 1 .. 2^53"},
                                    {beyond, "trials * queries is"}}) {
    const auto refuses = [&all, what = what](const std::string& where, std::function<void()> call) {
      all.push_back({where + ": " + what, std::move(call)});
    };
    refuses("HitLaw", [wrong = wrong] { static_cast<void>(HitLaw(law, wrong)); });
    refuses("dispersion", [wrong = wrong] { static_cast<void>(dispersion(law, wrong)); });
    refuses("estimate_with_law",
            [wrong = wrong] { static_cast<void>(estimate_with_law(0, wrong, law, 0.9)); });
    refuses("compare_with_theory", [wrong = wrong] {
      static_cast<void>(compare_with_theory(0, wrong, law, Further::left_out));
    });
    refuses("compare_counts", [wrong = wrong] {
      static_cast<void>(compare_counts(0, wrong, 0, sampling, law, 0.9));
    });
    refuses("compare_counts", [wrong = wrong] {
      static_cast<void>(compare_counts(0, sampling, 0, wrong, law, 0.9));
    });
    refuses("test_ensemble_rate",
            [wrong = wrong] { static_cast<void>(test_ensemble_rate(0, wrong, law)); });
    refuses("minimum_detectable_effect",
            [wrong = wrong] { static_cast<void>(minimum_detectable_effect(law, wrong, plan)); });
  }
  check(all);
  const HitLaw ten = HitLaw::binomial(10.0, 0.3);
  CHECK_NOTHROW(equal_tailed_interval(ten, 0.0, 0.9));
  CHECK_NOTHROW(equal_tailed_interval(ten, 10.0, 0.9));
  CHECK_NOTHROW(HitLaw(law, {std::uint64_t{1} << 27, std::uint64_t{1} << 26}));
  const std::vector<double> one{1.0};
  const std::vector<double> below{-1.0};
  const std::vector<double> zero{0.0};
  check({
      {"design_effect: queries is 0", [] { static_cast<void>(design_effect(law, 0)); }},
      {"clopper_pearson: queries is 0", [] { static_cast<void>(clopper_pearson(0, 0, 0.9)); }},
      {"wilson: queries is 0", [] { static_cast<void>(wilson(0, 0, 0.9)); }},
      {"estimate_these_filters: queries is 0",
       [] { static_cast<void>(estimate_these_filters(0, 0, 0.9)); }},
      {"estimate_ensemble: queries is 0",
       [&] { static_cast<void>(estimate_ensemble(none, 0, law, 0.9)); }},
      {"estimate_at_fixed_hits: queries is 0",
       [] { static_cast<void>(estimate_at_fixed_hits(0, 0, 0.9)); }},
      {"precise_enough: queries is 0", [] { static_cast<void>(precise_enough(0, 0, 1)); }},
      {"EnsemblePrecision: queries is 0",
       [&] {
         static_cast<void>(EnsemblePrecision({0.05, 0.9}, 10).decide(none, 0));
       }},
      {"test_own_rates: queries is 0",
       [] { static_cast<void>(test_own_rates(0, 0, std::vector<double>{0.1})); }},
      {"equal_tailed_interval: level is 0",
       [&] { static_cast<void>(equal_tailed_interval(ten, 1.0, 0.0)); }},
      {"equal_tailed_interval: level is 1",
       [&] { static_cast<void>(equal_tailed_interval(ten, 1.0, 1.0)); }},
      {"equal_tailed_interval: hits is -1",
       [&] { static_cast<void>(equal_tailed_interval(ten, -1.0, 0.9)); }},
      {"equal_tailed_interval: hits is 11; it must lie in 0 .. draws",
       [&] { static_cast<void>(equal_tailed_interval(ten, 11.0, 0.9)); }},
      {"count_interval: level is 0", [&] { static_cast<void>(count_interval(one, one, 0.0)); }},
      {"count_interval: level is 1", [&] { static_cast<void>(count_interval(one, one, 1.0)); }},
      {"count_interval: level is 1",
       [&] { static_cast<void>(count_interval(values, values, 1.0)); }},
      {"count_interval: number of counts is 0",
       [] { static_cast<void>(count_interval({}, {}, 0.9)); }},
      {"count_interval: number of counts is 1",
       [&] { static_cast<void>(count_interval(one, values, 0.9)); }},
      {"count_interval: a count is -1",
       [&] { static_cast<void>(count_interval(below, one, 0.9)); }},
      {"count_interval: an exposure is 0",
       [&] { static_cast<void>(count_interval(one, zero, 0.9)); }},
      {"estimate_mean: number of values is 1; it must be at least 2, or give the variance",
       [&] { static_cast<void>(estimate_mean(one, 0.9)); }},
      {"estimate_mean: number of values is 0",
       [] { static_cast<void>(estimate_mean({}, 1.0, 0.9)); }},
      {"estimate_mean: level", [&] { static_cast<void>(estimate_mean(values, 1.0, 1.0)); }},
      {"estimate_mean: level", [&] { static_cast<void>(estimate_mean(values, 0.0)); }},
      {"estimate_mean: variance", [&] { static_cast<void>(estimate_mean(one, -1.0, 0.9)); }},
      {"bonferroni_level: count is 0", [] { static_cast<void>(bonferroni_level(0.9, 0)); }},
      {"sum_of_squares: number of cells is 0", [] { static_cast<void>(sum_of_squares({})); }},
      {"sum_of_squares: a deviation is inf",
       [] { static_cast<void>(sum_of_squares(std::vector<double>{endless})); }},
  });
}

TEST_CASE("what is not told of a measurement is one filter and one query", "[statistics]") {
  CHECK(Sampling{}.trials == 1);
  CHECK(Sampling{}.queries == 1);
  CHECK(Sampling{}.total() == 1.0);
  CHECK(LinearFit{}.degrees == 0);
  CHECK(PowerLaw{}.degrees == 0);
  CHECK(SumOfSquares{}.degrees == 0);
  // The larger of two effects is noticed in either direction.
  CHECK(DetectableEffect{0.1, 0.2}.either() == 0.2);
  CHECK(DetectableEffect{0.3, 0.2}.either() == 0.3);
}
