// What is sent of a compressed filter, by a coder that exists and by the entropy, and whether it is
// worth it.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// H2(p) [bits].
double binary_entropy(double p) {
  if (!(p > 0 && p < 1)) return 0;
  return -(p * std::log(p) + (1 - p) * std::log1p(-p)) / std::numbers::ln2;
}

/// 0.5^(ln 2 · bits per key): the rate of a filter that is not compressed, at the best real k.
double plain_rate(double bits) { return std::exp(-bits * std::numbers::ln2 * std::numbers::ln2); }

/// Sizes of a compressed filter, means over the trials [bits per key].
struct Sent {
  const Measurement* measurement = nullptr;
  double coded = unknown;    ///< by the coder
  double entropy = unknown;  ///< m H2(X/m) of the measured set bits
  [[nodiscard]] double uncompressed_rate() const { return plain_rate(coded); }
  [[nodiscard]] double rate() const { return measurement->estimate->rate.value; }
};

/// Mean of what the coder made of the filters of a cell [bits]; nothing where it was not recorded.
std::optional<double> mean_transmitted(const Experiment& experiment, const Measurement& m) {
  double sum = 0;
  double count = 0;
  for (const record::Observation& observation : experiment.observations) {
    const auto bits = observation.measured.find("transmitted_bits");
    if (observation.cell != m.cell || bits == observation.measured.end()) continue;
    sum += static_cast<double>(bits->get<std::uint64_t>());
    count += 1;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

std::vector<Sent> sent_of(const Experiment& experiment) {
  std::vector<Sent> all;
  for (const Measurement& m : experiment.measurements) {
    const auto transmitted = mean_transmitted(experiment, m);
    if (!transmitted || !m.prediction) continue;
    const auto n = static_cast<double>(m.inserted());
    double entropy = 0;
    for (const Trial& trial : m.trials) {
      entropy += static_cast<double>(trial.bits) * binary_entropy(trial.fill());
    }
    entropy /= static_cast<double>(m.trials.size());
    all.push_back({.measurement = &m, .coded = *transmitted / n, .entropy = entropy / n});
  }
  return all;
}

Table sent_table(const std::vector<Sent>& all, const Words& words) {
  Table table{.name = "sent",
              .caption = words("table.sent.caption"),
              .columns = {{"m_over_n", words("column.bits_per_key")},
                          {"k", "k"},
                          {"fill", words("column.fill")},
                          {"entropy", words("column.entropy_bits")},
                          {"coded", words("column.coded_bits")},
                          {"overhead", words("column.overhead")},
                          {"rate", words("column.rate")},
                          {"uncompressed", words("column.uncompressed")},
                          {"gain", words("column.gain")}},
              .rows = {}};
  for (const Sent& sent : all) {
    const Measurement& m = *sent.measurement;
    const auto& rate = m.estimate->rate;
    Entry gain = number_entry(sent.rate() / sent.uncompressed_rate());
    gain.marked = sent.rate() > sent.uncompressed_rate();
    table.rows.push_back(
        {{parameter_text(bits_per_key(m.cell)), bits_per_key(m.cell)},
         {value_text(value_at(m.cell, "/filter/k")), number_at(m.cell, "/filter/k")},
         percent_entry(m.mean_fill(), 3),
         number_entry(sent.entropy, 4),
         number_entry(sent.coded, 4),
         percent_entry(sent.coded / sent.entropy - 1),
         interval_entry(rate.value, rate.interval.low, rate.interval.high),
         number_entry(sent.uncompressed_rate()),
         std::move(gain)});
  }
  return table;
}

/// What was measured over the rate of an uncompressed filter as large as what is sent.
plot::Point gain_point(const Sent& sent, double bits, double place) {
  const double plain = plain_rate(bits);
  const auto& rate = sent.measurement->estimate->rate;
  return {.x = place,
          .y = rate.value / plain,
          .low = std::min(rate.interval.low, rate.value) / plain,
          .high = std::max(rate.interval.high, rate.value) / plain};
}

/// One line a filter: the gain with this coder, and with an ideal one.
plot::Figure sent_figure(const Experiment& experiment, const std::vector<Sent>& all,
                         const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.compression.title"),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {},
                      .y = {.label = words("axis.gain")},
                      .series = {}};
  if (all.empty()) return figure;
  plot::Series coded{.name = words("series.coded"), .points = {}};
  plot::Series entropy{.name = words("series.entropy"), .points = {}};
  for (const Sent& sent : all) {
    const Json& cell = sent.measurement->cell;
    const auto place = static_cast<double>(figure.x.categories.size());
    figure.x.categories.push_back(ratio_label(cell) +
                                  ", k = " + value_text(value_at(cell, "/filter/k")));
    coded.points.push_back(gain_point(sent, sent.coded, place));
    entropy.points.push_back(gain_point(sent, sent.entropy, place));
  }
  figure.series = {std::move(coded), std::move(entropy)};
  figure.markers = {{.axis = plot::MarkerAxis::y, .at = 1}};
  return figure;
}

double gain_of(const Sent& sent) { return sent.rate() / sent.uncompressed_rate(); }

/// The filter that gains most.
std::string best_gain(const std::vector<Sent>& all, const Words& words) {
  const auto best = std::min_element(
      all.begin(), all.end(), [](const Sent& a, const Sent& b) { return gain_of(a) < gain_of(b); });
  if (best == all.end()) return "–";
  const Measurement& m = *best->measurement;
  return words("compression.item", {{"ratio", ratio_label(m.cell)},
                                    {"k", value_text(value_at(m.cell, "/filter/k"))},
                                    {"sent", significant(best->coded, 4)},
                                    {"entropy", significant(best->entropy, 4)},
                                    {"rate", rate_text(&m)},
                                    {"gain", significant(gain_of(*best), 3)}});
}

std::uint64_t gaining(const std::vector<Sent>& all) {
  return static_cast<std::uint64_t>(
      std::count_if(all.begin(), all.end(), [](const Sent& sent) { return gain_of(sent) < 1; }));
}

}  // namespace

Content compression_exhibit(const Experiment& experiment, const Words& words) {
  const auto all = sent_of(experiment);
  Content content;
  content.values = {{"best_gain", best_gain(all, words)},
                    {"gaining", grouped(gaining(all))},
                    {"compressed", grouped(all.size())}};
  content.tables = {sent_table(all, words)};
  content.figures = {sent_figure(experiment, all, words)};
  return content;
}

}  // namespace bloomlab::analysis
