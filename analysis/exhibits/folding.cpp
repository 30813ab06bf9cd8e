// What becomes of the rate when a filter is folded to fewer bits.
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

/// A folded filter's sizes before and after.
struct Fold {
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  [[nodiscard]] bool divides() const { return to > 0 && from % to == 0; }
};

std::optional<Fold> fold_of(const Measurement& m) {
  const auto from = as_count(value_at(m.cell, "/filter/m"));
  const auto to = as_count(value_at(m.cell, "/filter/folded_to"));
  if (!from || !to) return std::nullopt;
  return Fold{*from, *to};
}

const Measurement* folded_to(const Experiment& experiment, std::uint64_t n, std::uint64_t to) {
  return find_measurement(experiment, [&](const Measurement& m) {
    const auto fold = fold_of(m);
    return fold && fold->to == to && m.inserted() == n;
  });
}

/// A standard filter of as many bits as a fold leaves, with the same k.
double standard_rate(const Measurement& m, std::uint64_t bits) {
  Json cell = m.cell;
  cell["filter"] = Json{{"kind", "standard"}, {"m", bits}, {"k", value_at(m.cell, "/filter/k")}};
  return predicted_rate(cell, m.inserted());
}

/// Measured over the measured rate of the same filter when it is not folded; NaN without.
double growth_of(const Experiment& experiment, const Measurement& m, const Fold& fold) {
  const Measurement* whole = folded_to(experiment, m.inserted(), fold.from);
  if (whole == nullptr || !(whole->estimate->rate.value > 0)) return unknown;
  return m.estimate->rate.value / whole->estimate->rate.value;
}

Table folds_table(const Experiment& experiment, const Words& words) {
  Table table{.name = "folds",
              .caption = words("table.folds.caption"),
              .columns = {{"n", "n", "keys"},
                          {"m", "m", "bits"},
                          {"folded_to", words("column.folded_to"), "bits"},
                          {"divides", words("column.divides")},
                          {"rate", words("column.rate")},
                          {"over_whole", words("column.over_whole")},
                          {"form", words("column.closed_form")},
                          {"deviation", words("column.deviation")},
                          {"over_standard", words("column.over_standard")}},
              .rows = {}};
  for (const Measurement& m : experiment.measurements) {
    const auto fold = fold_of(m);
    if (!fold || !m.prediction) continue;
    const auto& rate = m.estimate->rate;
    table.rows.push_back({count_entry(m.inserted()), count_entry(fold->from), count_entry(fold->to),
                          word_entry(words(fold->divides() ? "word.yes" : "word.no")),
                          interval_entry(rate.value, rate.interval.low, rate.interval.high),
                          number_entry(growth_of(experiment, m, *fold)),
                          number_entry(m.prediction->rate, 5), deviation_entry_of(m),
                          number_entry(m.prediction->rate / standard_rate(m, fold->to), 5)});
  }
  return table;
}

/// "to half: ×17.3": what folding does to the rate at the most keys.
std::string growth_list(const Experiment& experiment) {
  std::uint64_t most = 0;
  for (const Measurement& m : experiment.measurements) most = std::max(most, m.inserted());
  std::vector<std::string> texts;
  for (const Measurement& m : experiment.measurements) {
    const auto fold = fold_of(m);
    if (!fold || m.inserted() != most || fold->to == fold->from) continue;
    const double share = static_cast<double>(fold->to) / static_cast<double>(fold->from);
    texts.push_back(percent(share, 3) + ": ×" + significant(growth_of(experiment, m, *fold), 3));
  }
  return joined(texts);
}

/// The rate of half the keys in half the bits, beside that of all keys in all bits.
Tags half_values(const Experiment& experiment) {
  std::uint64_t most = 0;
  const Measurement* any = nullptr;
  for (const Measurement& m : experiment.measurements) {
    most = std::max(most, m.inserted());
    if (any == nullptr && fold_of(m)) any = &m;
  }
  const std::uint64_t bits = any == nullptr ? 0 : fold_of(*any)->from;
  return {{"whole_rate", rate_text(folded_to(experiment, most, bits))},
          {"half_rate", rate_text(folded_to(experiment, most / 2, bits / 2))}};
}

}  // namespace

Content folding_exhibit(const Experiment& experiment, const Words& words) {
  Content content;
  content.values = half_values(experiment);
  content.values["growth_list"] = growth_list(experiment);
  content.tables = {folds_table(experiment, words)};
  content.figures = {rate_figure(experiment, words,
                                 {.name = experiment.stem,
                                  .title = words("figure.folding.title"),
                                  .x_label = words("axis.bits_left"),
                                  .x =
                                      [](const Measurement& m) {
                                        const auto fold = fold_of(m);
                                        const double bits = fold ? static_cast<double>(fold->to)
                                                                 : number_at(m.cell, "/filter/m");
                                        return bits / static_cast<double>(m.inserted());
                                      },
                                  .group =
                                      [&words](const Measurement& m) {
                                        const auto fold = fold_of(m);
                                        if (!fold) return word_at(m.cell, "/filter/kind");
                                        return words(fold->divides() ? "folding.divisor"
                                                                     : "folding.no_divisor");
                                      }})};
  return content;
}

}  // namespace bloomlab::analysis
