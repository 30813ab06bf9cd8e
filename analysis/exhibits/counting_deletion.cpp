// Erasing keys: members lost beside what a model of the counters predicts, and the rate afterwards
// beside the exact rate of the keys that are left.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/counted_points.hpp"
#include "analysis/exhibits/erasure_laws.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// A point with everything that is said of it.
struct Erasing {
  const CountedPoint* point;
  bool of_members;
  std::string counters;
  ErasedFilter filter;
  statistics::Estimate lost;  ///< members lost per filter
  double predicted = unknown;
  std::optional<statistics::RateLaw> rate;  ///< theory's, afterwards
  std::optional<statistics::TestResult> test;
  double adjusted_p = unknown;

  [[nodiscard]] bool is_plain() const { return counters == "none"; }
  [[nodiscard]] bool sticks() const { return counters.starts_with("saturate"); }
  [[nodiscard]] bool is_flagged() const { return adjusted_p <= thresholds::family_alpha; }
};

/// The largest value of counters such as "saturate_2"; 0 for none.
std::uint64_t largest_value(const std::string& counters) {
  const std::size_t place = counters.rfind('_');
  if (place == std::string::npos) return 0;
  return (std::uint64_t{1} << std::stoul(counters.substr(place + 1))) - 1;
}

statistics::Sampling sampling_of(const CountedPoint& point) {
  const std::uint64_t filters = point.count("filters");
  const std::uint64_t queries = point.count("false_positives") + point.count("true_negatives");
  return {filters, queries / filters};
}

/// Members lost of one filter, as the model says; unknown where there is none.
double predicted_loss(const Erasing& erasing) {
  if (erasing.of_members && erasing.is_plain()) return lost_by_clearing(erasing.filter);
  if (erasing.of_members) {
    return erasing.sticks() || erasing.point->count("overflows") == 0 ? 0 : unknown;
  }
  const double erased = static_cast<double>(erasing.point->count("erased")) /
                        static_cast<double>(erasing.point->count("filters"));
  if (erasing.is_plain()) return lost_by_clearing_strangers(erasing.filter, erased);
  // Counters that wrapped, or that stick, have other values than the model's.
  return erasing.point->count("overflows") == 0 ? lost_by_wrong_erases(erasing.filter, erased)
                                                : unknown;
}

Erasing judged(const CountedPoint& point) {
  Erasing erasing{
      .point = &point,
      .of_members = point.word("way") == "members",
      .counters = point.word("counters"),
      .filter = {point.number("m"), point.number("n"), point.number("k"), point.number("erase")},
      .lost = point.mean_ratio("members_lost", "filters"),
      .rate = {},
      .test = {}};
  erasing.predicted = predicted_loss(erasing);
  if (!erasing.of_members || !erasing.sticks()) return erasing;
  erasing.rate = rate_after_erasing(erasing.filter, largest_value(erasing.counters));
  erasing.test = statistics::test_ensemble_rate(point.count("false_positives"), sampling_of(point),
                                                *erasing.rate);
  return erasing;
}

std::vector<Erasing> judged(const std::vector<CountedPoint>& points) {
  std::vector<Erasing> all;
  std::vector<double> p_values;
  for (const CountedPoint& point : points) {
    all.push_back(judged(point));
    if (all.back().test) p_values.push_back(all.back().test->p_value);
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  auto next = adjusted.begin();
  for (Erasing& erasing : all) {
    if (erasing.test) erasing.adjusted_p = *next++;
  }
  return all;
}

std::string filter_text(const ErasedFilter& filter) {
  return "m = " + grouped(filter.m) + ", n = " + grouped(filter.n) + ", k = " + grouped(filter.k);
}

void append_rate(const Erasing& erasing, std::vector<Entry>& row) {
  if (!erasing.of_members) {
    row.insert(row.end(), 3, no_entry());
    return;
  }
  const statistics::Sampling sampling = sampling_of(*erasing.point);
  const std::uint64_t hits = erasing.point->count("false_positives");
  const statistics::Estimate rate =
      erasing.rate
          ? statistics::estimate_with_law(hits, sampling, *erasing.rate, thresholds::interval_level)
          : statistics::estimate_these_filters(hits, sampling.trials * sampling.queries,
                                               thresholds::interval_level);
  row.push_back(estimate_entry(rate));
  row.push_back(erasing.rate ? number_entry(erasing.rate->rate, 4) : no_entry());
  row.push_back(erasing.test ? p_value_entry(erasing.adjusted_p) : no_entry());
  row.back().marked = erasing.test && erasing.is_flagged();
}

Table erasing_table(const std::vector<Erasing>& all, const Words& words) {
  Table table{.name = "erasing",
              .caption = words("table.erasing.caption"),
              .columns = {{"way", words("column.erased_keys")},
                          {"counters", words("column.counters")},
                          {"filter", "filter"},
                          {"erased", words("column.erased"), "keys"},
                          {"asked", words("column.members_asked"), "keys"},
                          {"lost", words("column.members_lost"), "keys"},
                          {"lost_per_filter", words("column.lost_per_filter")},
                          {"predicted", words("column.predicted")},
                          {"rate", words("column.rate_after")},
                          {"rate_theory", words("column.rate_left")},
                          {"p", words("column.holm")}},
              .rows = {}};
  for (const Erasing& erasing : all) {
    const CountedPoint& point = *erasing.point;
    const double erased =
        static_cast<double>(point.count("erased")) / static_cast<double>(point.count("filters"));
    auto& row = table.rows.emplace_back();
    row = {word_entry(point.word("way")),
           word_entry(erasing.counters),
           word_entry(filter_text(erasing.filter)),
           number_entry(erased, 4),
           count_entry(point.count("members_left")),
           count_entry(point.count("members_lost")),
           estimate_entry(erasing.lost),
           std::isnan(erasing.predicted) ? no_entry() : number_entry(erasing.predicted, 4)};
    append_rate(erasing, row);
  }
  return table;
}

/// "m = ...: 4.9 [4.8, 5.0] lost, predicted 4.88" for the points that fit, one key erased in each;
/// the largest loss first.
std::vector<std::string> single_losses(const std::vector<Erasing>& all, const Words& words,
                                       bool of_members, bool plain) {
  std::vector<std::pair<double, std::string>> losses;
  for (const Erasing& erasing : all) {
    const bool wanted = plain ? erasing.is_plain() : erasing.counters == "saturate_4";
    if (erasing.of_members != of_members || !wanted || erasing.filter.erase != 1) continue;
    losses.emplace_back(erasing.lost.value,
                        words("erasing.loss", {{"filter", filter_text(erasing.filter)},
                                               {"lost", estimate_entry(erasing.lost).text},
                                               {"predicted", significant(erasing.predicted, 3)}}));
  }
  std::stable_sort(losses.begin(), losses.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (auto& [lost, text] : losses) texts.push_back(std::move(text));
  return texts;
}

/// "wrap_2 1 234 of 10 000": members lost though only members were erased.
std::string policy_losses(const std::vector<Erasing>& all, const Words& words) {
  std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>> sums;
  for (const Erasing& erasing : all) {
    if (!erasing.of_members || erasing.is_plain() || erasing.sticks()) continue;
    auto found = std::find_if(sums.begin(), sums.end(),
                              [&](const auto& sum) { return sum.first == erasing.counters; });
    if (found == sums.end()) found = sums.insert(sums.end(), {erasing.counters, {0, 0}});
    found->second.first += erasing.point->count("members_lost");
    found->second.second += erasing.point->count("members_left");
  }
  std::vector<std::string> texts;
  for (const auto& [counters, sum] : sums) {
    texts.push_back(words("erasing.policy", {{"counters", markdown_escaped(counters)},
                                             {"lost", grouped(sum.first)},
                                             {"asked", grouped(sum.second)}}));
  }
  return joined(texts);
}

}  // namespace

Content counting_deletion_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<CountedPoint> points = counted_points(experiment, "counting_deletion");
  const std::vector<Erasing> all = judged(points);
  std::uint64_t asked = 0;
  std::uint64_t lost = 0;
  std::uint64_t tests = 0;
  std::uint64_t flagged = 0;
  for (const Erasing& erasing : all) {
    if (!erasing.of_members || !erasing.sticks()) continue;
    asked += erasing.point->count("members_left");
    lost += erasing.point->count("members_lost");
    tests += erasing.test ? 1 : 0;
    flagged += erasing.is_flagged() ? 1 : 0;
  }
  const auto wrong = single_losses(all, words, false, false);
  const auto clearing = single_losses(all, words, true, true);
  return {.values = {{"right_asked", grouped(asked)},
                     {"right_lost", grouped(lost)},
                     {"rate_tests", grouped(tests)},
                     {"rate_flags", grouped(flagged)},
                     {"alpha", parameter_text(thresholds::family_alpha)},
                     {"wrong_losses", joined(wrong)},
                     {"wrong_most", wrong.empty() ? "–" : wrong.front()},
                     {"clearing_losses", joined(clearing)},
                     {"clearing_most", clearing.empty() ? "–" : clearing.front()},
                     {"policy_losses", policy_losses(all, words)}},
          .tables = {erasing_table(all, words)}};
}

}  // namespace bloomlab::analysis
