// Counters that overflow: how often it happens to distinct keys, beside the exact probability and
// its bounds; and what a key that comes again and again does under each policy.
#include <algorithm>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/counted_points.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "core/theory/models.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// Counters, and the distinct keys that raise them.
struct Counters {
  std::uint64_t m = 0;
  std::uint64_t counters_per_key = 0;
  std::uint64_t k = 0;
  std::uint64_t bits = 0;

  [[nodiscard]] std::uint64_t keys() const { return m / counters_per_key; }
  [[nodiscard]] std::uint64_t hashes() const { return k * keys(); }
};

theory::Evaluation overflow_chance(const Counters& counters) {
  return theory::evaluate({"counting_overflow",
                           {{"m", counters.m},
                            {"N_hashes", counters.hashes()},
                            {"j", std::uint64_t{1} << counters.bits}}});
}

/// Expected counters at their largest value, or beyond it.
double expected_full(const Counters& counters) {
  const double m = static_cast<double>(counters.m);
  const double largest = static_cast<double>((std::uint64_t{1} << counters.bits) - 1);
  const double hashes = static_cast<double>(counters.hashes());
  return largest > hashes ? 0 : m * statistics::HitLaw::binomial(hashes, 1 / m).at_least(largest);
}

/// Filters of distinct keys, and what theory says of them.
struct Distinct {
  const CountedPoint* point;
  Counters counters;
  std::uint64_t filters = 0;
  std::uint64_t overflowed = 0;
  statistics::Estimate share;
  theory::Evaluation chance;
  double p_value = 1;
  double adjusted_p = 1;
};

Counters counters_of(const CountedPoint& point) {
  return {point.number("m"), point.number("counters_per_key"), point.number("k"),
          point.number("counter_bits")};
}

/// Keys that come once, in filters of one policy: until a counter overflows all policies agree.
std::vector<Distinct> distinct_points(const std::vector<CountedPoint>& points) {
  std::vector<Distinct> all;
  std::vector<double> p_values;
  for (const CountedPoint& point : points) {
    if (point.number("copies") != 1 || point.word("overflow") != "saturate") continue;
    Distinct distinct{.point = &point,
                      .counters = counters_of(point),
                      .filters = point.count("filters"),
                      .overflowed = point.count("overflowed"),
                      .share = {},
                      .chance = {}};
    distinct.share = statistics::estimate_these_filters(distinct.overflowed, distinct.filters,
                                                        thresholds::interval_level);
    distinct.chance = overflow_chance(distinct.counters);
    const double chance = std::min(1.0, distinct.chance.number());
    distinct.p_value =
        statistics::test_ensemble_rate(distinct.overflowed, {distinct.filters, 1}, {chance, 0})
            .p_value;
    p_values.push_back(distinct.p_value);
    all.push_back(std::move(distinct));
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].adjusted_p = adjusted[i];
  return all;
}

Table distinct_table(const std::vector<Distinct>& all, const Words& words) {
  Table table{.name = "overflow",
              .caption = words("table.overflow.caption"),
              .columns = {{"m", "m", "counters"},
                          {"n", "n", "keys"},
                          {"counter_bits", words("column.counter_bits"), "bits"},
                          {"filters", words("column.filters")},
                          {"overflowed", words("column.overflowed")},
                          {"share", words("column.overflowed_share")},
                          {"exact", words("column.overflow_exact")},
                          {"union_bound", words("column.union_bound")},
                          {"fan_bound", words("column.fan_bound")},
                          {"full", words("column.full_counters")},
                          {"full_expected", words("column.full_expected")},
                          {"p", words("column.holm")}},
              .rows = {}};
  for (const Distinct& distinct : all) {
    const Counters& counters = distinct.counters;
    auto& row = table.rows.emplace_back();
    row = {count_entry(counters.m),
           count_entry(counters.keys()),
           count_entry(counters.bits),
           count_entry(distinct.filters),
           count_entry(distinct.overflowed),
           estimate_entry(distinct.share),
           number_entry(distinct.chance.number(), 4),
           number_entry(distinct.chance.number("union_bound")),
           number_entry(distinct.chance.number("fan_bound")),
           estimate_entry(distinct.point->mean_ratio("full", "filters")),
           number_entry(expected_full(counters)),
           p_value_entry(distinct.adjusted_p)};
    row.back().marked = distinct.adjusted_p <= thresholds::family_alpha;
  }
  return table;
}

Entry share_entry(const CountedPoint& point, const char* count, const char* per) {
  const std::uint64_t hits = point.count(count);
  Entry entry = percent_entry(static_cast<double>(hits) / static_cast<double>(point.count(per)));
  if (hits == 0) entry.text = grouped(0);
  return entry;
}

/// Points in which one key is repeated.
std::vector<const CountedPoint*> repeated_points(const std::vector<CountedPoint>& points) {
  std::vector<const CountedPoint*> repeated;
  for (const CountedPoint& point : points) {
    if (point.number("copies") > 1) repeated.push_back(&point);
  }
  return repeated;
}

/// Those of the largest filter, the fewest keys and the widest counters.
std::vector<const CountedPoint*> widest(std::vector<const CountedPoint*> points) {
  for (const char* field : {"m", "counters_per_key", "counter_bits"}) {
    std::uint64_t largest = 0;
    for (const CountedPoint* point : points) largest = std::max(largest, point->number(field));
    std::erase_if(points,
                  [&](const CountedPoint* point) { return point->number(field) != largest; });
  }
  return points;
}

/// At which copy the first filter of all trials overflowed, and the last.
std::pair<std::uint64_t, std::uint64_t> first_overflows(const CountedPoint& point) {
  std::uint64_t earliest = point.count(0, "earliest_overflow");
  std::uint64_t latest = 0;
  for (std::size_t trial = 0; trial < point.trials(); ++trial) {
    earliest = std::min(earliest, point.count(trial, "earliest_overflow"));
    latest = std::max(latest, point.count(trial, "latest_overflow"));
  }
  return {earliest, latest};
}

Table repeated_table(const std::vector<const CountedPoint*>& points, const Words& words) {
  Table table{.name = "repeated",
              .caption = words("table.repeated.caption"),
              .columns = {{"m", "m", "counters"},
                          {"n", "n", "keys"},
                          {"counter_bits", words("column.counter_bits"), "bits"},
                          {"overflow", words("column.policy")},
                          {"copies", words("column.copies")},
                          {"earliest", words("column.earliest_overflow")},
                          {"latest", words("column.latest_overflow")},
                          {"repeated_denied", words("column.repeated_denied")},
                          {"others_denied", words("column.others_denied")},
                          {"others_lost", words("column.others_lost")},
                          {"repeated_left", words("column.repeated_left")}},
              .rows = {}};
  for (const CountedPoint* point : points) {
    const Counters counters = counters_of(*point);
    const auto [earliest, latest] = first_overflows(*point);
    table.rows.push_back({count_entry(counters.m), count_entry(counters.keys()),
                          count_entry(counters.bits), word_entry(point->word("overflow")),
                          count_entry(point->number("copies")), count_entry(earliest),
                          count_entry(latest), share_entry(*point, "repeated_denied", "filters"),
                          share_entry(*point, "others_denied", "others"),
                          share_entry(*point, "others_lost", "others"),
                          share_entry(*point, "repeated_left", "filters")});
  }
  return table;
}

plot::Figure overflow_figure(const Experiment& experiment, const std::vector<Distinct>& all,
                             const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.overflow.title"),
                      .caption = words("figure.overflow.caption", {{"file", experiment.file_name}}),
                      .x = {.label = words("axis.counters"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.overflow"), .scale = plot::Scale::log},
                      .series = {}};
  std::vector<std::pair<std::string, std::vector<const Distinct*>>> groups;
  for (const Distinct& distinct : all) {
    const std::string label =
        words("series.counters", {{"bits", grouped(distinct.counters.bits)},
                                  {"per_key", grouped(distinct.counters.counters_per_key)}});
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& group) { return group.first == label; });
    if (found == groups.end()) found = groups.insert(groups.end(), {label, {}});
    found->second.push_back(&distinct);
  }
  for (const auto& [label, members] : groups) {
    plot::Series measured{.name = words("series.measured"), .points = {}, .group = label};
    for (const Distinct* distinct : members) {
      const statistics::Estimate& share = distinct->share;
      measured.points.push_back({.x = static_cast<double>(distinct->counters.m),
                                 .y = share.value,
                                 .low = share.interval.low,
                                 .high = share.interval.high});
    }
    plot::Series exact{.name = words("column.overflow_exact"),
                       .kind = plot::Kind::line,
                       .role = plot::Role::theory,
                       .points = {},
                       .group = label};
    Counters counters = members.front()->counters;
    for (const std::uint64_t m : spread(counters.m, members.back()->counters.m, 25)) {
      counters.m = m - m % counters.counters_per_key;  // a whole number of keys
      exact.points.push_back({.x = static_cast<double>(counters.m),
                              .y = std::min(1.0, overflow_chance(counters).number())});
    }
    figure.series.push_back(std::move(measured));
    figure.series.push_back(std::move(exact));
  }
  return figure;
}

/// What each policy does to a repeated key, and to the others.
std::string policies(const std::vector<const CountedPoint*>& points, const Words& words) {
  std::vector<std::string> texts;
  for (const CountedPoint* point : points) {
    texts.push_back(words("overflow.policy",
                          {{"policy", point->word("overflow")},
                           {"copies", grouped(point->number("copies"))},
                           {"denied", share_entry(*point, "repeated_denied", "filters").text},
                           {"lost", share_entry(*point, "others_lost", "others").text},
                           {"left", share_entry(*point, "repeated_left", "filters").text}}));
  }
  return joined(texts);
}

}  // namespace

Content counting_overflow_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<CountedPoint> points = counted_points(experiment, "counting_overflow");
  const std::vector<Distinct> all = distinct_points(points);
  const auto flags = std::count_if(all.begin(), all.end(), [](const Distinct& distinct) {
    return distinct.adjusted_p <= thresholds::family_alpha;
  });
  const auto repeated = repeated_points(points);
  const auto shown = widest(repeated);
  Table shown_table = repeated_table(shown, words);
  shown_table.name = "repeated_shown";
  shown_table.caption = words("table.repeated_shown.caption");
  Table whole_table = repeated_table(repeated, words);
  whole_table.fold_label = words("table.repeated.fold");
  const std::string first = shown.empty() ? "–" : grouped(first_overflows(*shown.front()).second);
  return {.values = {{"overflow_tests", grouped(all.size())},
                     {"overflow_flags", grouped(static_cast<std::uint64_t>(flags))},
                     {"alpha", parameter_text(thresholds::family_alpha)},
                     {"first_overflow", first},
                     {"policies", policies(shown, words)}},
          .tables = {distinct_table(all, words), std::move(shown_table), std::move(whole_table)},
          .figures = {overflow_figure(experiment, all, words)}};
}

}  // namespace bloomlab::analysis
