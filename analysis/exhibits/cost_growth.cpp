// How cost and rate grow with keys, bits per key and probes: power laws, fitted over the grid.
#include <cmath>
#include <functional>
#include <optional>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "statistics/durations.hpp"
#include "statistics/fit.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// A cell with what was measured of it.
struct Point {
  double keys = unknown;
  double bits_per_key = unknown;
  double probes = unknown;
  double insert_ns = unknown;    ///< a key, median over trials
  double stranger_ns = unknown;  ///< a question, median over trials
  double memory_bits = unknown;
  double rate = unknown;
};

/// The median over the trials of a cell of a duration per piece of work.
double median_ns(const Experiment& experiment, const Measurement& m, const char* key,
                 const char* count) {
  std::vector<double> values;
  for (const record::Observation& observation : experiment.observations) {
    if (observation.cell != m.cell || !observation.timing.contains(key)) continue;
    double pieces = observation.measured.at(count).get<double>();
    if (std::string_view(count) == "true_negatives") {
      pieces += observation.measured.at("false_positives").get<double>();
    }
    values.push_back(observation.timing.at(key).get<double>() / pieces);
  }
  return values.empty() ? unknown : statistics::median(values);
}

std::vector<Point> points_of(const Experiment& experiment) {
  std::vector<Point> points;
  for (const Measurement& m : experiment.measurements) {
    points.push_back({static_cast<double>(m.inserted()), bits_per_key(m.cell),
                      number_at(m.cell, "/filter/k"),
                      median_ns(experiment, m, "insert_ns", "inserted"),
                      median_ns(experiment, m, "strangers_ns", "true_negatives"),
                      static_cast<double>(m.trials.front().memory_bits), m.estimate->rate.value});
  }
  return points;
}

/// A quantity, and the variables that its law is fitted to.
struct Law {
  std::string quantity;
  std::vector<double Point::*> variables;
  double Point::*value = nullptr;
  std::function<bool(const Point&)> fits = [](const Point&) { return true; };
};

std::optional<statistics::PowerLaw> fitted(const std::vector<Point>& points, const Law& law) {
  std::vector<std::vector<double>> variables(law.variables.size());
  std::vector<double> values;
  for (const Point& point : points) {
    const double value = point.*law.value;
    if (!law.fits(point) || !(value > 0)) continue;
    values.push_back(value);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      variables[i].push_back(point.*law.variables[i]);
    }
  }
  try {
    return statistics::fit_power_law(variables, values, thresholds::interval_level);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // too few cells, or an axis with one value: no law to tell
  }
}

std::vector<Law> laws_of(const std::vector<Point>& points, const Words& words) {
  const std::vector<double Point::*> all = {&Point::keys, &Point::bits_per_key, &Point::probes};
  std::vector<Law> laws = {{words("law.insert"), all, &Point::insert_ns},
                           {words("law.stranger"), all, &Point::stranger_ns},
                           {words("law.memory"), all, &Point::memory_bits}};
  std::vector<double> probes;
  for (const Point& point : points) {
    if (std::find(probes.begin(), probes.end(), point.probes) != probes.end()) continue;
    probes.push_back(point.probes);
    laws.push_back({words("law.rate", {{"k", grouped(static_cast<std::uint64_t>(point.probes))}}),
                    {&Point::keys, &Point::bits_per_key},
                    &Point::rate,
                    [k = point.probes](const Point& other) { return other.probes == k; }});
  }
  return laws;
}

Entry exponent_entry(const statistics::Coefficient& exponent) {
  return {fixed(exponent.value, 3) + " [" + fixed(exponent.interval.low, 3) + ", " +
              fixed(exponent.interval.high, 3) + "]",
          exponent.value};
}

std::vector<Entry> row_of(const Law& law, const statistics::PowerLaw& fit) {
  std::vector<Entry> row = {word_entry(law.quantity)};
  for (const auto variable : {&Point::keys, &Point::bits_per_key, &Point::probes}) {
    const auto place = std::find(law.variables.begin(), law.variables.end(), variable);
    row.push_back(
        place == law.variables.end()
            ? no_entry()
            : exponent_entry(
                  fit.exponents[static_cast<std::size_t>(place - law.variables.begin())]));
  }
  row.push_back(number_entry(fit.r_squared, 4));
  row.push_back(percent_entry(fit.residual_sd));
  return row;
}

}  // namespace

Content cost_growth_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<Point> points = points_of(experiment);
  Table table{.name = "laws",
              .caption = words("table.laws.caption"),
              .columns = {{"quantity", words("column.quantity")},
                          {"exponent_n", words("column.exponent_n")},
                          {"exponent_bits_per_key", words("column.exponent_bits_per_key")},
                          {"exponent_k", words("column.exponent_k")},
                          {"r_squared", words("column.r_squared")},
                          {"residual", words("column.residual")}},
              .rows = {}};
  std::vector<std::string> items;
  for (const Law& law : laws_of(points, words)) {
    const auto fit = fitted(points, law);
    if (!fit) continue;
    table.rows.push_back(row_of(law, *fit));
    if (law.variables.size() == 3) {
      items.push_back(words("law.item", {{"quantity", law.quantity},
                                         {"n", fixed(fit->exponents[0].value, 2)},
                                         {"k", fixed(fit->exponents[2].value, 2)}}));
    }
  }
  Content content;
  content.values = {{"laws", items.empty() ? words("ladder.tells_none") : joined(items)}};
  content.tables = {std::move(table)};
  return content;
}

}  // namespace bloomlab::analysis
