// Ways to derive the positions of a key from one hash: by the size of the filter, and with many
// probes in a small one.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/ladder.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/double_hashing.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

std::string family_of_cell(const Measurement& m) { return word_at(m.cell, "/hash/probe"); }

std::vector<std::string> families_in(const Experiment& experiment) {
  std::vector<std::string> families;
  for (const Measurement& m : experiment.measurements) {
    const std::string family = family_of_cell(m);
    if (std::find(families.begin(), families.end(), family) == families.end()) {
      families.push_back(family);
    }
  }
  return families;
}

/// One row a size, one column a family: measured over the exact rate of independent positions.
Table families_table(const Experiment& experiment, const Words& words) {
  const auto families = families_in(experiment);
  Table table{.name = "families",
              .caption = words("table.families.caption"),
              .columns = {{"m", "m", "bits"}, {"exact", words("column.ideal_rate")}},
              .rows = {}};
  for (const std::string& family : families) table.columns.push_back({family, family});
  std::vector<double> sizes;
  for (const Measurement& first : experiment.measurements) {
    const double m = number_at(first.cell, "/filter/m");
    if (std::find(sizes.begin(), sizes.end(), m) != sizes.end() || !first.prediction) continue;
    sizes.push_back(m);
    auto& row = table.rows.emplace_back();
    row.push_back(count_entry(as_count(value_at(first.cell, "/filter/m")).value_or(0)));
    row.push_back(number_entry(first.prediction->rate, 4));
    for (const std::string& family : families) {
      const Measurement* found = find_measurement(experiment, [&](const Measurement& other) {
        return number_at(other.cell, "/filter/m") == m && family_of_cell(other) == family;
      });
      row.push_back(found == nullptr ? no_entry() : deviation_entry_of(*found));
    }
  }
  return table;
}

/// The rate by the family's own closed form over that of independent positions, size by size.
plot::Series own_series(const Experiment& experiment, const std::string& family,
                        const Words& words) {
  plot::Series series{.name = words("series.own_form"),
                      .kind = plot::Kind::line,
                      .role = plot::Role::theory,
                      .points = {},
                      .group = family};
  for (const Measurement& m : experiment.measurements) {
    if (family_of_cell(m) != family || !m.prediction) continue;
    const auto forms = closed_forms(m.cell, m.inserted());
    if (forms.empty() || forms.back().name != "index_pairs") continue;
    const double ratio = forms.back().rate / m.prediction->rate;
    series.points.push_back(
        {.x = number_at(m.cell, "/filter/m"), .y = ratio, .low = ratio, .high = ratio});
  }
  return series;
}

plot::Series ratio_series(const Experiment& experiment, const std::string& family,
                          const Words& words) {
  plot::Series series{.name = words("series.measured"), .points = {}, .group = family};
  for (const Measurement& m : experiment.measurements) {
    const Deviation deviation = deviation_of(m);
    if (family_of_cell(m) != family || !deviation.known() || !(deviation.low > -1)) continue;
    series.points.push_back({.x = number_at(m.cell, "/filter/m"),
                             .y = 1 + deviation.value,
                             .low = 1 + std::min(deviation.low, deviation.value),
                             .high = 1 + std::max(deviation.high, deviation.value)});
  }
  return series;
}

plot::Figure families_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.index_families.title"),
                      .caption = figure_caption(experiment, words),
                      .x = {.label = axis_label("/filter/m"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.ratio"), .scale = plot::Scale::log},
                      .series = {}};
  for (const std::string& family : families_in(experiment)) {
    for (auto& series :
         {own_series(experiment, family, words), ratio_series(experiment, family, words)}) {
      if (!series.points.empty()) figure.series.push_back(series);
    }
  }
  figure.markers = {{.axis = plot::MarkerAxis::y, .at = 1}};
  return figure;
}

/// "double_hashing +284 %, ...": every family at one size.
std::string excess_list(const Experiment& experiment, double m) {
  std::vector<std::string> texts;
  for (const Measurement& measurement : experiment.measurements) {
    const Deviation deviation = deviation_of(measurement);
    if (number_at(measurement.cell, "/filter/m") != m || !deviation.known()) continue;
    texts.push_back(family_of_cell(measurement) + " " + deviation.text());
  }
  return joined(texts);
}

/// The family that is furthest off at one size: "double_hashing +284 % [...]".
std::string most_excessive(const Experiment& experiment, double m) {
  std::string text = "–";
  double most = -1;
  for (const Measurement& measurement : experiment.measurements) {
    const Deviation deviation = deviation_of(measurement);
    if (number_at(measurement.cell, "/filter/m") != m || !deviation.known()) continue;
    if (std::abs(deviation.value) <= most) continue;
    most = std::abs(deviation.value);
    text = family_of_cell(measurement) + " " + deviation.text();
  }
  return text;
}

/// The size of the largest filter with a flagged rate; NaN without [bits].
double largest_flagged(const Experiment& experiment) {
  double largest = unknown;
  for (const Measurement& m : experiment.measurements) {
    const auto& test = m.estimate->rate_test;
    if (test && test->flagged) largest = std::fmax(largest, number_at(m.cell, "/filter/m"));
  }
  return largest;
}

std::string size_or_dash(double m) {
  return std::isnan(m) ? "–" : grouped(static_cast<std::uint64_t>(m));
}

}  // namespace

Content index_families_exhibit(const Experiment& experiment, const Words& words) {
  const auto checks = pairs_checks(experiment);
  const double smallest = number_at(experiment.measurements.front().cell, "/filter/m");
  Content content;
  content.values = {{"smallest", size_or_dash(smallest)},
                    {"smallest_worst", most_excessive(experiment, smallest)},
                    {"smallest_list", excess_list(experiment, smallest)},
                    {"largest_flagged", size_or_dash(largest_flagged(experiment))},
                    {"inside", pairs_inside(checks, words)}};
  content.tables = {families_table(experiment, words), pairs_table(checks, words)};
  content.figures = {families_figure(experiment, words)};
  return content;
}

Content family_probes_exhibit(const Experiment& experiment, const Words& words) {
  const auto checks = pairs_checks(experiment);
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.index_families_probes.title"),
                      .caption = figure_caption(experiment, words),
                      .x = {.label = axis_label("/filter/k")},
                      .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                      .series = {}};
  plot::Series ideal{.name = words("series.ideal"),
                     .kind = plot::Kind::line,
                     .role = plot::Role::reference,
                     .points = {}};
  for (const std::string& family : families_in(experiment)) {
    plot::Series own{.name = words("series.own_form"),
                     .kind = plot::Kind::line,
                     .role = plot::Role::theory,
                     .points = {},
                     .group = family};
    plot::Series measured{.name = words("series.measured"), .points = {}, .group = family};
    const bool first = ideal.points.empty();
    for (const PairsCheck& check : checks) {
      if (family_of_cell(*check.measured) != family) continue;
      const double k = number_at(check.measured->cell, "/filter/k");
      own.points.push_back({.x = k, .y = check.own, .low = check.own, .high = check.own});
      measured.points.push_back({.x = k,
                                 .y = check.own * (1 + check.deviation.value),
                                 .low = check.own * (1 + std::fmax(check.deviation.low, -1)),
                                 .high = check.own * (1 + check.deviation.high)});
      if (!first) continue;
      ideal.points.push_back({.x = k, .y = check.ideal, .low = check.ideal, .high = check.ideal});
    }
    if (!own.points.empty()) figure.series.insert(figure.series.end(), {own, measured});
  }
  if (!figure.series.empty()) {
    figure.y.low = ideal.points.back().y;  // a reference alone would not widen the axis
    figure.series.push_back(std::move(ideal));
  }
  Content content;
  content.values = {{"inside", pairs_inside(checks, words)},
                    {"detectable", pairs_detectable(checks)},
                    {"most_probes", "–"},
                    {"ideal_rate", "–"},
                    {"own_rate", "–"},
                    {"measured_rate", "–"},
                    {"own_family", "–"}};
  const auto worst = std::max_element(
      checks.begin(), checks.end(),
      [](const auto& a, const auto& b) { return a.own / a.ideal < b.own / b.ideal; });
  if (worst != checks.end()) {
    const Measurement& m = *worst->measured;
    content.values["most_probes"] = value_text(value_at(m.cell, "/filter/k"));
    content.values["ideal_rate"] = significant(worst->ideal, 3);
    content.values["own_rate"] = significant(worst->own, 5);
    content.values["measured_rate"] = rate_text(&m);
    content.values["own_family"] = family_of_cell(m);
  }
  content.tables = {pairs_table(checks, words)};
  content.figures = {std::move(figure)};
  return content;
}

}  // namespace bloomlab::analysis
