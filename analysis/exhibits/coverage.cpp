// How often intervals contain what they are about, point by point of a calibration: the intervals
// for one filter's own rate, for the mean rate over filters by their hits, and for the same by
// their set bits.
#include "statistics/coverage.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/exhibits/calibration_points.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// An interval whose coverage is counted.
struct CountedInterval {
  std::string_view name;  ///< NAME_covered is its count
  std::string_view heading;
  Promise promise = Promise::none;
  /// About the first filter's own rate, so that only that filter's hits count.
  bool is_own = false;
  /// What can be summed over all counts when the queries are fixed; else null.
  statistics::BinomialInterval sum = nullptr;
};

constexpr std::array<CountedInterval, 7> intervals = {{
    {"own_clopper_pearson", "column.own_clopper_pearson", Promise::at_least_level, true,
     statistics::clopper_pearson},
    {"own_wilson", "column.own_wilson", Promise::near_level, true, statistics::wilson},
    {"own_fixed_hits", "column.own_fixed_hits", Promise::at_least_level, true},
    {"ensemble", "column.ensemble", Promise::near_level},
    {"fill_known", "column.fill_known", Promise::near_level},
    {"fill_student", "column.fill_student", Promise::near_level},
    {"pooled_wilson", "column.pooled_wilson", Promise::none},
}};
constexpr const CountedInterval& pooled = intervals[6];

/// The coverage of one interval at one point.
struct Coverage {
  const CalibrationPoint* point = nullptr;
  const CountedInterval* interval = nullptr;
  Share counted;
  Share shown;           ///< the sum where there is one, else as counted
  bool is_due = false;   ///< something is promised at this point
  bool is_kept = false;  ///< both the sum and the count keep the promise

  [[nodiscard]] double hits() const {
    return interval->is_own ? point->expected_hits / static_cast<double>(point->trials)
                            : point->expected_hits;
  }
};

Coverage coverage_of(const CalibrationPoint& point, const CountedInterval& interval) {
  Coverage coverage{.point = &point, .interval = &interval, .counted = {}, .shown = {}};
  coverage.counted = point.share(std::string(interval.name) + "_covered");
  if (!coverage.counted.is_known()) return coverage;
  coverage.shown = coverage.counted;
  if (interval.sum != nullptr && point.design == "fixed") {
    coverage.shown = summed_share(
        statistics::exact_coverage(interval.sum, static_cast<std::uint64_t>(point.queries()),
                                   point.rate(), thresholds::interval_level));
  }
  coverage.is_due =
      interval.promise == Promise::at_least_level ||
      (interval.promise == Promise::near_level && coverage.hits() >= thresholds::coverage_hits);
  coverage.is_kept =
      keeps(coverage.shown, interval.promise) && keeps(coverage.counted, interval.promise);
  return coverage;
}

/// All coverages that are known, point by point.
std::vector<Coverage> coverages_of(const std::vector<CalibrationPoint>& points) {
  std::vector<Coverage> coverages;
  for (const CalibrationPoint& point : points) {
    for (const CountedInterval& interval : intervals) {
      const Coverage coverage = coverage_of(point, interval);
      if (coverage.counted.is_known()) coverages.push_back(coverage);
    }
  }
  return coverages;
}

bool is_shown(const std::vector<Coverage>& coverages, const CountedInterval& interval) {
  return std::any_of(coverages.begin(), coverages.end(),
                     [&](const Coverage& c) { return c.interval == &interval; });
}

/// Bold: a promise that is not kept; and pooling, which promises nothing, where it would break one.
bool is_marked(const Coverage& coverage) {
  if (coverage.interval->promise != Promise::none) return coverage.is_due && !coverage.is_kept;
  return coverage.hits() >= thresholds::coverage_hits &&
         !keeps(coverage.counted, Promise::near_level);
}

/// How the experiments of a point ended, where they ended by themselves.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> endings = {{
    {"precision_reached", "column.precision_reached"},
    {"precision_out_of_reach", "column.precision_out_of_reach"},
    {"precision_given_up", "column.precision_given_up"},
}};

bool stops_by_precision(const std::vector<CalibrationPoint>& points) {
  return std::any_of(points.begin(), points.end(),
                     [](const CalibrationPoint& point) { return point.design == "precision"; });
}

std::vector<Column> coverage_columns(const std::vector<CalibrationPoint>& points,
                                     const std::vector<Coverage>& coverages, const Words& words) {
  std::vector<Column> columns = {{"m", "m", "bits"},
                                 {"trials", words("column.trials")},
                                 {"expected_hits", words("column.expected_hits")},
                                 {"queries", words("column.queries_of_each")}};
  for (const CountedInterval& interval : intervals) {
    if (!is_shown(coverages, interval)) continue;
    const std::string name(interval.name);
    columns.push_back({name, words(interval.heading)});
    columns.push_back({name + "_counted", name + "_counted", "", Shown::csv_only});
  }
  if (stops_by_precision(points)) {
    for (const auto& [count, heading] : endings) {
      columns.push_back({std::string(count), words(heading)});
    }
  }
  return columns;
}

std::vector<Entry> coverage_row(const CalibrationPoint& point,
                                const std::vector<Coverage>& coverages, bool with_endings) {
  std::vector<Entry> row = {count_entry(point.m), count_entry(point.trials),
                            setting_entry(point.expected_hits), setting_entry(point.queries())};
  for (const CountedInterval& interval : intervals) {
    if (!is_shown(coverages, interval)) continue;
    const auto found = std::find_if(coverages.begin(), coverages.end(), [&](const Coverage& c) {
      return c.point == &point && c.interval == &interval;
    });
    if (found == coverages.end()) {
      row.insert(row.end(), 2, no_entry());
    } else {
      row.push_back(share_entry(found->shown, is_marked(*found)));
      row.push_back(share_entry(found->counted, false));
    }
  }
  if (!with_endings) return row;
  for (const auto& [count, heading] : endings) {
    const Share share = point.share(count);
    row.push_back(share.is_known() ? percent_entry(share.value, 3) : no_entry());
  }
  return row;
}

Table coverage_table(const std::vector<CalibrationPoint>& points,
                     const std::vector<Coverage>& coverages, const Words& words) {
  Table table{.name = "coverage",
              .caption = words("table.coverage.caption",
                               {{"level", percent(thresholds::interval_level, 2)},
                                {"tolerance", percent(thresholds::coverage_tolerance, 2)},
                                {"hits", parameter_text(thresholds::coverage_hits)},
                                {"bound", percent(thresholds::simulation_level, 2)}}),
              .columns = coverage_columns(points, coverages, words),
              .rows = {}};
  const bool with_endings = stops_by_precision(points);
  for (const CalibrationPoint& point : points) {
    table.rows.push_back(coverage_row(point, coverages, with_endings));
  }
  return table;
}

/// "Wilson: 94.5 % – 95.3 %; ...": every interval where it promises something.
std::string range_list(const std::vector<Coverage>& coverages, const Words& words) {
  std::vector<std::string> texts;
  for (const CountedInterval& interval : intervals) {
    ShareRange range;
    for (const Coverage& coverage : coverages) {
      if (coverage.interval == &interval && coverage.is_due) range.add(coverage.shown);
    }
    if (interval.promise == Promise::none || !is_shown(coverages, interval)) continue;
    texts.push_back(
        words("coverage.range", {{"interval", words(interval.heading)}, {"range", range.text()}}));
  }
  return joined(texts);
}

Tally tally_of(const std::vector<Coverage>& coverages, const Words& words) {
  Tally tally;
  for (const Coverage& coverage : coverages) {
    if (!coverage.is_due) continue;
    tally.add(coverage.is_kept,
              words("coverage.broken", {{"interval", words(coverage.interval->heading)},
                                        {"point", coverage.point->label()},
                                        {"share", share_entry(coverage.shown, false).text}}));
  }
  return tally;
}

plot::Series series_of(const std::vector<Coverage>& coverages, const CountedInterval& interval,
                       std::uint64_t m, const Words& words) {
  plot::Series series{.name = words(interval.heading), .points = {}};
  for (const Coverage& coverage : coverages) {
    if (coverage.interval != &interval || coverage.point->m != m) continue;
    const Share& share = coverage.shown;
    series.points.push_back({.x = coverage.hits(),
                             .y = share.value,
                             .low = share.interval.low,
                             .high = share.interval.high});
  }
  return series;
}

/// Coverage against the hits that an interval rests on, a figure for every size of filter.
std::vector<plot::Figure> coverage_figures(const Experiment& experiment,
                                           const std::vector<CalibrationPoint>& points,
                                           const std::vector<Coverage>& coverages,
                                           const Words& words) {
  std::vector<plot::Figure> figures;
  for (const CalibrationPoint& point : points) {
    const std::string name = experiment.stem + "_" + std::to_string(point.m);
    const bool is_drawn =
        std::any_of(figures.begin(), figures.end(),
                    [&](const plot::Figure& other) { return other.name == name; });
    if (is_drawn) continue;
    const double level = thresholds::interval_level;
    plot::Figure figure{
        .name = name,
        .title = words("figure.coverage.title", {{"m", grouped(point.m)}}),
        .caption = words(
            "figure.coverage.caption",
            {{"bound", percent(thresholds::simulation_level, 2)}, {"file", experiment.file_name}}),
        .x = {.label = words("axis.expected_hits"), .scale = plot::Scale::log},
        // What covers less than this stands at the edge.
        .y = {.label = words("axis.coverage"), .low = level - 2.4 * (1 - level), .high = 1.0},
        .series = {},
        .markers = {{.axis = plot::MarkerAxis::y, .at = level, .label = percent(level, 2)}}};
    figure.words = figure_words(words);
    for (const CountedInterval& interval : intervals) {
      plot::Series series = series_of(coverages, interval, point.m, words);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

/// Over all intervals where they promise something.
ShareRange whole_range(const std::vector<Coverage>& coverages) {
  ShareRange range;
  for (const Coverage& coverage : coverages) {
    if (coverage.is_due && coverage.interval->promise != Promise::none) range.add(coverage.shown);
  }
  return range;
}

Content coverage_content(const std::vector<CalibrationPoint>& points,
                         const std::vector<Coverage>& coverages, const Words& words) {
  const Tally tally = tally_of(coverages, words);
  const Alarms alarms = alarms_of(points, words);
  Content content;
  content.values = alarm_values(alarms.tally);
  content.values.merge(
      Tags{{"simulations", points.empty() ? "–" : grouped(points.front().simulations())},
           {"level", percent(thresholds::interval_level, 2)},
           {"coverage_range", whole_range(coverages).text()},
           {"ranges", range_list(coverages, words)},
           {"promises", grouped(tally.promises)},
           {"promises_kept", grouped(tally.kept())},
           {"promises_broken", first_of(tally.broken, 2, words)}});
  content.tables = {coverage_table(points, coverages, words), alarms.table};
  return content;
}

}  // namespace

Content coverage_exhibit(const Experiment& experiment, const Words& words) {
  const auto points = calibration_points(experiment.observations, experiment.file_name);
  const auto coverages = coverages_of(points);
  Content content = coverage_content(points, coverages, words);
  ShareRange pooling;
  for (const Coverage& coverage : coverages) {
    if (coverage.interval == &pooled) pooling.add(coverage.counted);
  }
  content.values["pooled_worst"] = percent(pooling.least);
  content.values["coverage_hits"] = parameter_text(thresholds::coverage_hits);
  content.figures = coverage_figures(experiment, points, coverages, words);
  return content;
}

Content stopping_exhibit(const Experiment& experiment, const Words& words) {
  const auto points = calibration_points(experiment.observations, experiment.file_name);
  return coverage_content(points, coverages_of(points), words);
}

}  // namespace bloomlab::analysis
