// The theory ladder where it matters: at which sizes the exact rate can be told from the
// approximate one, and what it would take where it cannot.
#include <algorithm>
#include <functional>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "analysis/tables/ladder_table.hpp"
#include "statistics/power.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

const Rung* rung_called(const Estimate& estimate, const std::string& name) {
  const auto found = std::find_if(estimate.ladder.begin(), estimate.ladder.end(),
                                  [&](const Rung& rung) { return rung.name == name; });
  return found == estimate.ladder.end() ? nullptr : &*found;
}

bool is_told_apart(const Rung& rung) { return rung.verdict.significantly_different; }

/// Both forms are there, and the approximate one is told from what was measured, the exact one not.
bool tells(const Measurement& m) {
  const Rung* approx = rung_called(*m.estimate, "approx");
  const Rung* exact = rung_called(*m.estimate, "exact");
  return approx != nullptr && exact != nullptr && is_told_apart(*approx) && !is_told_apart(*exact);
}

std::string label(const Experiment& experiment, const Measurement& m) {
  const std::string text = label_of(m.cell, telling_axes(experiment.measurements));
  return text.empty() ? "m = " + value_text(value_at(m.cell, "/filter/m")) : text;
}

std::string told_text(const Experiment& experiment, const Measurement& m, const Words& words) {
  const Rung& approx = *rung_called(*m.estimate, "approx");
  return words("ladder.tells",
               {{"cell", label(experiment, m)},
                {"form", form_name(approx.name, words)},
                {"ratio", signed_percent_with_interval(approx.verdict.ratio - 1,
                                                       approx.verdict.at_rejection.low - 1,
                                                       approx.verdict.at_rejection.high - 1)}});
}

double difference_of(const Prediction& prediction) {
  return prediction.approx / prediction.rate - 1;
}

/// Filters with which a test notices that the approximate form is not the exact one.
std::string cannot_text(const Experiment& experiment, const Measurement& m, const Words& words) {
  const Prediction& prediction = *m.prediction;
  const double difference = difference_of(prediction);
  const auto filters = statistics::trials_to_detect(
      {prediction.rate, prediction.sd_rate * prediction.sd_rate}, std::abs(difference),
      {.alpha = 1 - thresholds::rejection_level, .power = thresholds::power});
  return words("ladder.cannot", {{"cell", label(experiment, m)},
                                 {"difference", signed_percent(difference)},
                                 {"filters", grouped(filters)}});
}

/// Cells by how far the approximate form is from the exact one, the furthest first.
std::vector<std::string> texts_of(std::vector<const Measurement*> cells,
                                  const std::function<std::string(const Measurement&)>& text) {
  std::stable_sort(cells.begin(), cells.end(), [](const Measurement* a, const Measurement* b) {
    return std::abs(difference_of(*a->prediction)) > std::abs(difference_of(*b->prediction));
  });
  std::vector<std::string> texts;
  for (const Measurement* m : cells) texts.push_back(text(*m));
  return texts;
}

}  // namespace

Content ladder_exhibit(const Experiment& experiment, const Words& words) {
  std::vector<const Measurement*> telling;
  std::vector<const Measurement*> others;
  for (const Measurement& m : experiment.measurements) {
    if (rung_called(*m.estimate, "exact") == nullptr || m.prediction->model != "standard_exact") {
      continue;
    }
    if (tells(m)) {
      telling.push_back(&m);
    } else if (m.prediction->approx != m.prediction->rate) {
      others.push_back(&m);
    }
  }
  const auto told =
      texts_of(telling, [&](const auto& m) { return told_text(experiment, m, words); });
  const auto not_told =
      texts_of(others, [&](const auto& m) { return cannot_text(experiment, m, words); });
  const auto some = [&](const std::vector<std::string>& texts, std::size_t most) {
    return texts.empty() ? words("ladder.tells_none") : first_of(texts, most, words);
  };
  Content content;
  content.values = {{"compared", grouped(told.size() + not_told.size())},
                    {"told_count", grouped(told.size())},
                    {"told", some(told, told.size())},
                    {"told_clearest", some(told, 1)},
                    {"not_told", some(not_told, not_told.size())},
                    {"not_told_nearest", not_told.empty() ? "–" : not_told.front()}};
  content.tables = {rungs_table(experiment, words, [](const Measurement&) { return true; })};
  return content;
}

Content precision_exhibit(const Experiment& experiment, const Words& words) {
  std::vector<std::string> items;
  std::uint64_t reached = 0;
  std::uint64_t spread = 0;
  const Measurement* dearest = nullptr;
  for (const Measurement& m : experiment.measurements) {
    const std::string& reason = m.trials.front().stopped_by;
    if (reason.empty()) continue;
    spread += reason == "spread" ? 1 : 0;
    if (reason == "precision") {
      ++reached;
      if (dearest == nullptr || m.estimate->queries > dearest->estimate->queries) dearest = &m;
    }
    items.push_back(words("precision.item", {{"cell", label(experiment, m)},
                                             {"rate", rate_text(&m)},
                                             {"queries", grouped(m.estimate->queries)},
                                             {"stopped", words("stopped." + reason)}}));
  }
  Content content;
  content.values = {
      {"items", items.empty() ? words("ladder.tells_none") : joined(items)},
      {"asked", grouped(items.size())},
      {"reached", grouped(reached)},
      {"spread", grouped(spread)},
      {"dearest", dearest == nullptr ? "–" : label(experiment, *dearest)},
      {"dearest_rate", rate_text(dearest)},
      {"dearest_queries", dearest == nullptr ? "–" : grouped(dearest->estimate->queries)}};
  return content;
}

}  // namespace bloomlab::analysis
