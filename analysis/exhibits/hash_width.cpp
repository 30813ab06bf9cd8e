// The floor that a hash of few bits puts under the rate, key count by key count.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/ladder.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "analysis/tables/ladder_table.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

std::string hash_of(const Measurement& m) { return word_at(m.cell, "/hash/name"); }

/// The rate of a cell by the form that knows most, and what its hash adds to ideal hashing.
struct Floor {
  double ideal = unknown;
  double own = unknown;
  double collision = 0;  ///< strangers with a member's fingerprint

  [[nodiscard]] bool known() const { return collision > 0; }
};

Floor floor_of(const Json& cell, std::uint64_t n) {
  Floor floor;
  for (const ClosedForm& form : closed_forms(cell, n)) {
    if (form.name == "exact") floor.ideal = form.rate;
    if (form.name == "hash_width") floor.collision = form.rate - floor.own;
    floor.own = form.rate;
  }
  return floor;
}

/// What the measured rate exceeds the ideal one by, over what the short hash should add, less one.
Deviation floor_deviation(const Floor& floor, const statistics::Estimate& rate) {
  const double added = floor.own - floor.ideal;
  const auto relative = [&](double value) { return (value - floor.ideal) / added - 1; };
  return {relative(rate.value), relative(rate.interval.low), relative(rate.interval.high)};
}

/// The level at which the intervals of all cells with a floor hold together.
double floors_level(const Experiment& experiment) {
  const auto cells =
      std::count_if(experiment.measurements.begin(), experiment.measurements.end(),
                    [](const Measurement& m) { return floor_of(m.cell, m.inserted()).known(); });
  return statistics::bonferroni_level(statistics::thresholds::simultaneous_level,
                                      std::max<std::size_t>(static_cast<std::size_t>(cells), 1));
}

Table floors_table(const Experiment& experiment, const Words& words) {
  const double level = floors_level(experiment);
  Table table{.name = "floors",
              .caption = words("table.floors.caption",
                               {{"level", percent(statistics::thresholds::simultaneous_level, 2)}}),
              .columns = {{"hash", "hash"},
                          {"n", "n", "keys"},
                          {"ideal", words("column.ideal_rate")},
                          {"collision", words("column.collision")},
                          {"own", words("column.with_floor")},
                          {"rate", words("column.rate")},
                          {"deviation", words("column.over_floor")}},
              .rows = {}};
  for (const Measurement& m : experiment.measurements) {
    const Floor floor = floor_of(m.cell, m.inserted());
    if (std::isnan(floor.own)) continue;
    const auto& rate = m.estimate->rate;
    auto& row = table.rows.emplace_back();
    row = {word_entry(hash_of(m)), count_entry(m.inserted()), number_entry(floor.ideal, 5)};
    row.push_back(floor.known() ? number_entry(floor.collision, 4) : no_entry());
    row.push_back(number_entry(floor.own, 5));
    row.push_back(interval_entry(rate.value, rate.interval.low, rate.interval.high));
    if (floor.known()) {
      const Deviation deviation = floor_deviation(floor, ensemble_rate(m, level));
      row.push_back({deviation.text(), deviation.value, deviation.low > 0 || deviation.high < 0});
    } else {
      row.push_back(no_entry());
    }
  }
  return table;
}

/// Series of one hash: the form that knows most as a dense line, and the measured points.
std::vector<plot::Series> hash_series(const Experiment& experiment, const std::string& hash,
                                      const Words& words) {
  constexpr std::size_t dense_points = 40;
  plot::Series line{.name = words("series.own_form"),
                    .kind = plot::Kind::line,
                    .role = plot::Role::theory,
                    .points = {},
                    .group = hash};
  plot::Series points{.name = words("series.measured"), .points = {}, .group = hash};
  const Measurement* largest = nullptr;
  std::uint64_t smallest = 0;
  for (const Measurement& m : experiment.measurements) {
    if (hash_of(m) != hash) continue;
    const auto& rate = m.estimate->rate;
    points.points.push_back({.x = static_cast<double>(m.inserted()),
                             .y = rate.value,
                             .low = std::min(rate.interval.low, rate.value),
                             .high = std::max(rate.interval.high, rate.value)});
    if (largest == nullptr || m.inserted() > largest->inserted()) largest = &m;
    if (smallest == 0 || m.inserted() < smallest) smallest = m.inserted();
  }
  if (largest == nullptr || smallest == 0) return {};
  const double bits = bits_per_key(largest->cell);
  Json cell = largest->cell;
  for (const std::uint64_t n : spread(smallest, largest->inserted(), dense_points)) {
    cell["filter"]["m"] = static_cast<std::uint64_t>(std::ceil(bits * static_cast<double>(n)));
    const double rate = floor_of(cell, n).own;
    if (std::isnan(rate)) continue;
    line.points.push_back({.x = static_cast<double>(n), .y = rate, .low = rate, .high = rate});
  }
  return {std::move(line), std::move(points)};
}

plot::Figure floor_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.hash_width_floor.title"),
                      .caption = figure_caption(experiment, words),
                      .x = {.label = axis_label("/n"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                      .series = {}};
  std::vector<std::string> done;
  for (const Measurement& m : experiment.measurements) {
    if (std::find(done.begin(), done.end(), hash_of(m)) != done.end()) continue;
    done.push_back(hash_of(m));
    for (plot::Series& series : hash_series(experiment, done.back(), words)) {
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
  }
  return figure;
}

/// "10 000 000 keys: rate 0.0105 [..] where ...": the cell with the highest floor.
std::string highest_floor(const Experiment& experiment, const Words& words) {
  const Measurement* highest = nullptr;
  for (const Measurement& m : experiment.measurements) {
    if (!floor_of(m.cell, m.inserted()).known()) continue;
    if (highest == nullptr || m.inserted() > highest->inserted()) highest = &m;
  }
  if (highest == nullptr) return "–";
  const Floor floor = floor_of(highest->cell, highest->inserted());
  return words("floor.item",
               {{"n", grouped(highest->inserted())},
                {"rate", rate_text(highest)},
                {"ideal", significant(floor.ideal, 4)},
                {"deviation", floor_deviation(floor, highest->estimate->rate).text()}});
}

}  // namespace

Content hash_width_exhibit(const Experiment& experiment, const Words& words) {
  Content content;
  content.values = {{"highest_floor", highest_floor(experiment, words)}};
  content.tables = {floors_table(experiment, words),
                    budget_table(experiment, words, [](const Measurement& m) {
                      return floor_of(m.cell, m.inserted()).known();
                    })};
  content.figures = {floor_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
