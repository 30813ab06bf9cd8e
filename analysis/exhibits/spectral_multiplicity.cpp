// Frequencies by spectral filters: how often an estimate is wrong and by how much, for each method;
// minimum selection beside its closed form.
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/counted_points.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "core/filters/spectral.hpp"
#include "core/theory/models.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// A point with what is said of it.
struct Estimating {
  const CountedPoint* point;
  std::string method;
  std::string stream;          ///< all but the method, as text
  statistics::Estimate above;  ///< share of the keys whose estimate is too high
  double expected = unknown;   ///< by the closed form of minimum selection
  std::optional<statistics::TestResult> test;
  double adjusted_p = unknown;

  [[nodiscard]] bool is_flagged() const { return adjusted_p <= thresholds::family_alpha; }
};

std::string stream_text(const CountedPoint& point) {
  return point.word("law") + ", copies = " + grouped(point.number("copies")) +
         ", m = " + grouped(point.number("m"));
}

Estimating judged_estimates(const CountedPoint& point) {
  Estimating estimating{.point = &point,
                        .method = point.word("method"),
                        .stream = stream_text(point),
                        .above = point.mean_ratio("above", "distinct"),
                        .test = {}};
  const Spectral::Parameters filter{.m = point.number("m"), .k = point.number("k")};
  estimating.expected =
      theory::evaluate(Spectral::frequency_error(filter, point.number("n"))).number();
  if (estimating.method == "minimum_selection" && point.trials() > 1) {
    estimating.test =
        statistics::test_mean_rate(point.ratios("above", "distinct"), estimating.expected);
  }
  return estimating;
}

std::vector<Estimating> judged_estimates(const std::vector<CountedPoint>& points) {
  std::vector<Estimating> all;
  std::vector<double> p_values;
  for (const CountedPoint& point : points) {
    all.push_back(judged_estimates(point));
    if (all.back().test) p_values.push_back(all.back().test->p_value);
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  auto next = adjusted.begin();
  for (Estimating& estimating : all) {
    if (estimating.test) estimating.adjusted_p = *next++;
  }
  return all;
}

/// Minimum selection on the same stream, or null.
const Estimating* baseline_of(const std::vector<Estimating>& all, const Estimating& estimating) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Estimating& other) {
    return other.method == "minimum_selection" && other.stream == estimating.stream;
  });
  return found == all.end() ? nullptr : &*found;
}

/// Wrong estimates, too high or too low, over those of minimum selection; unknown without any.
double wrong_ratio(const std::vector<Estimating>& all, const Estimating& estimating) {
  const Estimating* const baseline = baseline_of(all, estimating);
  const auto wrong = [](const CountedPoint& point) {
    return static_cast<double>(point.count("above") + point.count("below"));
  };
  if (baseline == nullptr || wrong(*baseline->point) == 0) return unknown;
  return wrong(*estimating.point) / wrong(*baseline->point);
}

double mean_error(const CountedPoint& point) {
  return static_cast<double>(point.count("excess") + point.count("shortfall")) /
         static_cast<double>(point.count("distinct"));
}

Table methods_table(const std::vector<Estimating>& all, const Words& words) {
  Table table{.name = "methods",
              .caption = words("table.methods.caption"),
              .columns = {{"stream", words("column.stream")},
                          {"method", words("column.method")},
                          {"inserted", words("column.inserts")},
                          {"distinct", words("column.distinct"), "keys"},
                          {"above", words("column.above")},
                          {"expected", words("column.selection_theory")},
                          {"p", words("column.holm")},
                          {"below", words("column.below"), "keys"},
                          {"ratio", words("column.over_selection")},
                          {"error", words("column.mean_error")}},
              .rows = {}};
  for (const Estimating& estimating : all) {
    const CountedPoint& point = *estimating.point;
    auto& row = table.rows.emplace_back();
    row = {word_entry(estimating.stream),
           word_entry(estimating.method),
           count_entry(point.count("inserted")),
           count_entry(point.count("distinct")),
           estimate_entry(estimating.above),
           number_entry(estimating.expected, 4),
           estimating.test ? p_value_entry(estimating.adjusted_p) : no_entry(),
           count_entry(point.count("below")),
           number_entry(wrong_ratio(all, estimating)),
           number_entry(mean_error(point))};
    row[6].marked = estimating.is_flagged();
  }
  return table;
}

/// Streams from top to bottom, methods by colour.
plot::Figure methods_figure(const Experiment& experiment, const std::vector<Estimating>& all,
                            const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.methods.title"),
                      .caption = words("figure.methods.caption", {{"file", experiment.file_name}}),
                      .x = {.label = words("column.stream"), .categories = {}},
                      .y = {.label = words("axis.above")},
                      .series = {}};
  plot::Series theory{
      .name = words("series.selection"), .role = plot::Role::reference, .points = {}};
  const auto place_of = [](auto& list, const std::string& name, auto make) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& item) {
      if constexpr (requires { item.name; }) {
        return item.name == name;
      } else {
        return item == name;
      }
    });
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(make());
    return list.size() - 1;
  };
  for (const Estimating& estimating : all) {
    auto& streams = figure.x.categories;
    const std::size_t before = streams.size();
    const std::size_t row = place_of(streams, estimating.stream, [&] { return estimating.stream; });
    const auto x = static_cast<double>(row);
    if (row == before) theory.points.push_back({.x = x, .y = estimating.expected});
    const std::size_t series = place_of(figure.series, estimating.method, [&] {
      return plot::Series{.name = estimating.method, .points = {}};
    });
    const statistics::Estimate& above = estimating.above;
    const bool known = above.interval.low <= above.interval.high;
    figure.series[series].points.push_back(
        {.x = x,
         .y = above.value,
         .low = known ? std::clamp(above.interval.low, 0.0, above.value) : above.value,
         .high = known ? above.interval.high : above.value});
  }
  figure.series.push_back(std::move(theory));
  return figure;
}

/// "0.12 to 0.34 times" of a method over all streams.
std::string ratio_span(const std::vector<Estimating>& all, const std::string& method,
                       const Words& words) {
  std::vector<double> ratios;
  for (const Estimating& estimating : all) {
    if (estimating.method != method) continue;
    if (const double ratio = wrong_ratio(all, estimating); ratio == ratio) ratios.push_back(ratio);
  }
  if (ratios.empty()) return "–";
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return words("methods.span", {{"low", significant(*low, 2)}, {"high", significant(*high, 2)}});
}

std::uint64_t below(const std::vector<Estimating>& all, const std::string& method) {
  std::uint64_t sum = 0;
  for (const Estimating& estimating : all) {
    if (estimating.method == method) sum += estimating.point->count("below");
  }
  return sum;
}

}  // namespace

Content spectral_multiplicity_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<CountedPoint> points = counted_points(experiment, "spectral_multiplicity");
  const std::vector<Estimating> all = judged_estimates(points);
  std::uint64_t tests = 0;
  std::uint64_t flagged = 0;
  for (const Estimating& estimating : all) {
    tests += estimating.test ? 1 : 0;
    flagged += estimating.is_flagged() ? 1 : 0;
  }
  return {.values = {{"selection_tests", grouped(tests)},
                     {"selection_flags", grouped(flagged)},
                     {"alpha", parameter_text(thresholds::family_alpha)},
                     {"selection_below", grouped(below(all, "minimum_selection"))},
                     {"increase_below", grouped(below(all, "minimal_increase"))},
                     {"recurring_below", grouped(below(all, "recurring_minimum"))},
                     {"increase_span", ratio_span(all, "minimal_increase", words)},
                     {"recurring_span", ratio_span(all, "recurring_minimum", words)}},
          .tables = {methods_table(all, words)},
          .figures = {methods_figure(experiment, all, words)}};
}

}  // namespace bloomlab::analysis
