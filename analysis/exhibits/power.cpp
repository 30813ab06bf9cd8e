// How often the tests suspect a right filter, and how often they notice a deviation that the
// experiment was planned for.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/exhibits/calibration_points.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// Standard errors that chance is allowed.
constexpr double standard_errors = 3.0;

/// The least share of detections that a test of the planned power may show.
double least_power(const CalibrationPoint& point) {
  const double power = thresholds::power;
  const auto simulations = static_cast<double>(point.simulations());
  return power - standard_errors * std::sqrt(power * (1 - power) / simulations);
}

/// Points whose filters deviate, with the share of experiments that noticed.
struct Powers {
  Table table;
  Tally tally;
  ShareRange range;
  double bound = unknown;  ///< the least one required
};

Powers powers_of(const std::vector<CalibrationPoint>& points, const Words& words) {
  Powers powers{.table = {.name = "power",
                          .caption = words("table.power.caption"),
                          .columns = {{"m", "m", "bits"},
                                      {"trials", words("column.trials")},
                                      {"family", words("column.family")},
                                      {"effect", words("column.effect")},
                                      {"queries", words("column.queries_of_each")},
                                      {"power", words("column.noticed")},
                                      {"least_power", words("column.least_power")}},
                          .rows = {}},
                .tally = {},
                .range = {}};
  for (const CalibrationPoint& point : points) {
    const Share noticed = point.share("rate_rejections");
    if (!(point.effect < 0 || point.effect > 0) || !noticed.is_known()) continue;
    const double least = least_power(point);
    const bool kept = noticed.value >= least;
    powers.tally.add(kept, point.label());
    powers.range.add(noticed);
    powers.bound = std::fmin(powers.bound, least);
    powers.table.rows.push_back({count_entry(point.m),
                                 count_entry(point.trials),
                                 count_entry(point.family),
                                 {signed_percent(point.effect), point.effect},
                                 setting_entry(point.queries()),
                                 share_entry(noticed, !kept),
                                 number_entry(least, 4)});
  }
  return powers;
}

}  // namespace

Content power_exhibit(const Experiment& experiment, const Words& words) {
  const auto points = calibration_points(experiment.observations, experiment.file_name);
  Powers powers = powers_of(points, words);
  Alarms alarms = alarms_of(points, words);
  Content content;
  content.values = alarm_values(alarms.tally);
  content.values.merge(Tags{{"power_points", grouped(powers.tally.promises)},
                            {"power_kept", grouped(powers.tally.kept())},
                            {"power_broken", joined(powers.tally.broken)},
                            {"power_range", powers.range.text()},
                            {"power", percent(thresholds::power, 2)},
                            {"power_bound", percent(powers.bound)},
                            {"standard_errors", parameter_text(standard_errors)},
                            {"effect", percent(thresholds::calibration_effect, 2)}});
  content.tables = {std::move(powers.table), std::move(alarms.table)};
  return content;
}

}  // namespace bloomlab::analysis
