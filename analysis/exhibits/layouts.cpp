// What it costs to keep all bits of a key together: every layout at its best number of probes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// The layout of a cell's bits: "standard", "blocked, 512 bits", "cache_sectorized".
std::string layout_label(const Measurement& m) {
  const std::string kind = word_at(m.cell, "/filter/kind");
  if (kind == "cache_sectorized") return kind;
  for (const char* path : {"/filter/block_bits", "/filter/word_bits"}) {
    if (const auto bits = as_count(value_at(m.cell, path))) {
      return kind + ", " + grouped(*bits) + " bits";
    }
  }
  return kind;
}

/// Values of a measurement in the order of their first mention.
template <class Value>
std::vector<Value> distinct(const Experiment& experiment, Value (*value_of)(const Measurement&)) {
  std::vector<Value> values;
  for (const Measurement& m : experiment.measurements) {
    const Value value = value_of(m);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

double ratio_of(const Measurement& m) { return bits_per_key(m.cell); }

const Measurement* find_layout(const Experiment& experiment, const std::string& layout,
                               double bits) {
  return find_measurement(experiment, [&](const Measurement& m) {
    return layout_label(m) == layout && std::abs(ratio_of(m) - bits) < 1e-9 * bits;
  });
}

/// The k with the lowest closed form for this layout and size; nothing where the layout sets k.
std::optional<std::uint64_t> best_probes(const Measurement& m) {
  constexpr int patience = 3;
  if (!as_count(value_at(m.cell, "/filter/k"))) return std::nullopt;
  const std::uint64_t step = as_count(value_at(m.cell, "/filter/groups")).value_or(1);
  Json cell = m.cell;
  std::uint64_t best = step;
  double lowest = HUGE_VAL;
  int risen = 0;
  for (std::uint64_t k = step; risen < patience; k += step) {
    cell["filter"]["k"] = k;
    const double rate = predicted_rate(cell, m.inserted());
    if (rate < lowest) {
      lowest = rate;
      best = k;
      risen = 0;
    } else {
      ++risen;
    }
  }
  return best;
}

/// "k = 6", the rate with its interval, and its ratio to a standard filter's of as many bits.
Entry layout_entry(const Measurement& m, const Measurement* standard, const Words& words) {
  if (!m.prediction) return no_entry();
  const auto k = as_count(value_at(m.cell, "/filter/k"));
  const auto best = best_probes(m);
  std::string text = k ? "k = " + grouped(*k) : words("layouts.fixed_k");
  if (best && best != k) text += " (" + words("layouts.best", {{"k", grouped(*best)}}) + ")";
  text.append("<br>").append(rate_text(&m));
  if (standard != nullptr && standard != &m) {
    text.append("<br>×").append(significant(m.prediction->rate / standard->prediction->rate, 3));
  }
  return {std::move(text), m.estimate->rate.value, best && best != k};
}

Table layouts_table(const Experiment& experiment, const Words& words) {
  const auto layouts = distinct(experiment, layout_label);
  Table table{.name = "layouts",
              .caption = words("table.layouts.caption"),
              .columns = {{"bits_per_key", words("column.bits_per_key")}},
              .rows = {}};
  for (const std::string& layout : layouts) table.columns.push_back({layout, layout});
  for (const double bits : distinct(experiment, ratio_of)) {
    auto& row = table.rows.emplace_back();
    row.push_back({parameter_text(bits), bits});
    const Measurement* standard = find_layout(experiment, "standard", bits);
    for (const std::string& layout : layouts) {
      const Measurement* m = find_layout(experiment, layout, bits);
      row.push_back(m == nullptr ? no_entry() : layout_entry(*m, standard, words));
    }
  }
  return table;
}

/// 2^-(m/n): no structure of as many bits has a lower rate.
plot::Series bound_series(const Experiment& experiment, const Words& words) {
  plot::Series series{.name = words("series.bound"),
                      .kind = plot::Kind::line,
                      .role = plot::Role::reference,
                      .points = {}};
  for (const double bits : distinct(experiment, ratio_of)) {
    const double rate = std::exp2(-bits);
    series.points.push_back({.x = bits, .y = rate, .low = rate, .high = rate});
  }
  return series;
}

/// Partitioned filters are left out: their curve is the standard filter's to the width of a line.
plot::Figure layouts_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure =
      rate_figure(experiment, words,
                  {.name = experiment.stem,
                   .title = words("figure.blocked_layouts.title"),
                   .x_label = words("axis.bits_per_key"),
                   .x =
                       [](const Measurement& m) {
                         return layout_label(m) == "partitioned" ? unknown : ratio_of(m);
                       },
                   .group = layout_label});
  if (!figure.series.empty()) figure.series.push_back(bound_series(experiment, words));
  return figure;
}

/// A layout's exact rate over the standard filter's, as text and number.
struct LayoutCost {
  std::string text;  ///< "blocked, 512 bits ×1.18"
  double ratio;
};

std::vector<LayoutCost> layout_costs(const Experiment& experiment, double bits) {
  const Measurement* standard = find_layout(experiment, "standard", bits);
  if (standard == nullptr || !standard->prediction) return {};
  std::vector<LayoutCost> costs;
  for (const std::string& layout : distinct(experiment, layout_label)) {
    const Measurement* m = find_layout(experiment, layout, bits);
    if (m == nullptr || m == standard || !m->prediction) continue;
    const double ratio = m->prediction->rate / standard->prediction->rate;
    costs.push_back({layout + " ×" + significant(ratio, 3), ratio});
  }
  return costs;
}

/// Every layout at one size.
std::string cost_list(const Experiment& experiment, double bits) {
  std::vector<std::string> texts;
  for (LayoutCost& cost : layout_costs(experiment, bits)) texts.push_back(std::move(cost.text));
  return joined(texts);
}

/// The dearest layout at one size.
std::string dearest(const Experiment& experiment, double bits) {
  const auto costs = layout_costs(experiment, bits);
  const auto most = std::max_element(
      costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
  return most == costs.end() ? "–" : most->text;
}

}  // namespace

Content layouts_exhibit(const Experiment& experiment, const Words& words) {
  std::uint64_t chosen = 0;
  std::uint64_t best = 0;
  for (const Measurement& m : experiment.measurements) {
    const auto k = best_probes(m);
    if (!k) continue;
    ++chosen;
    if (k == as_count(value_at(m.cell, "/filter/k"))) ++best;
  }
  const auto sizes = distinct(experiment, ratio_of);
  const double middle = sizes[sizes.size() / 2];
  Content content;
  content.values = {{"middle", parameter_text(middle)},
                    {"middle_dearest", dearest(experiment, middle)},
                    {"largest_dearest", dearest(experiment, sizes.back())},
                    {"middle_costs", cost_list(experiment, middle)},
                    {"largest", parameter_text(sizes.back())},
                    {"largest_costs", cost_list(experiment, sizes.back())},
                    {"best_count", grouped(best)},
                    {"chosen_count", grouped(chosen)}};
  content.tables = {layouts_table(experiment, words)};
  content.figures = {layouts_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
