// An article's filter as written, which keeps the sign of its hash, beside the one that was meant:
// sign and memory varied apart, so that it shows which of the two lowers the rate.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// A way of hashing, as the config writes it.
struct Variant {
  const char* word;  ///< key of its name
  const char* hash;
  const char* reduction;
  bool doubled;  ///< in the filter with the bits for negative positions too
  bool drawn;    ///< in the figures, where the others would lie upon it
};

constexpr Variant as_written = {"javascript.as_written", "javascript_polynomial", "signed_modulo",
                                true, true};
constexpr Variant meant = {"javascript.meant", "javascript_polynomial", "modulo_32", false, true};
constexpr Variant variants[] = {
    as_written,
    meant,
    {"javascript.signed_planned", "javascript_polynomial", "signed_modulo", false, false},
    {"javascript.unsigned_doubled", "javascript_polynomial", "modulo_32", true, true},
    {"javascript.odd", "javascript_polynomial_odd", "modulo_32", false, false},
    {"javascript.good", "xxhash3_64", "multiply_shift", false, false},
    {"javascript.good_doubled", "xxhash3_64", "multiply_shift", true, true},
};

/// The cells of one source of keys and one target rate, which k tells.
struct Target {
  std::string source;
  std::uint64_t k = 0;
  std::vector<const Measurement*> members;

  /// The planned size, or the doubled one: the smallest and the largest that were measured.
  [[nodiscard]] double size(bool doubled) const {
    double found = number_at(members.front()->cell, "/filter/m");
    for (const Measurement* m : members) {
      const double size = number_at(m->cell, "/filter/m");
      found = doubled ? std::fmax(found, size) : std::fmin(found, size);
    }
    return found;
  }
  [[nodiscard]] const Measurement* find(const Variant& variant) const {
    const double wanted = size(variant.doubled);
    const auto found = std::find_if(members.begin(), members.end(), [&](const Measurement* m) {
      return number_at(m->cell, "/filter/m") == wanted &&
             word_at(m->cell, "/hash/name") == variant.hash &&
             word_at(m->cell, "/hash/reduction") == variant.reduction;
    });
    return found == members.end() ? nullptr : *found;
  }
  /// Exact rate of the planned filter.
  [[nodiscard]] double planned() const {
    const double wanted = size(false);
    for (const Measurement* m : members) {
      if (number_at(m->cell, "/filter/m") == wanted && m->prediction) return m->prediction->rate;
    }
    return unknown;
  }
  /// How many orders the filter as written is below the one that was meant, as measured.
  [[nodiscard]] double orders() const {
    const Measurement* low = find(as_written);
    const Measurement* high = find(meant);
    if (low == nullptr || high == nullptr || !(low->estimate->rate.value > 0)) return unknown;
    return std::log10(high->estimate->rate.value / low->estimate->rate.value);
  }
};

std::vector<Target> targets_of(const Experiment& experiment) {
  std::vector<Target> targets;
  for (const Measurement& m : experiment.measurements) {
    const std::string source = word_at(m.cell, "/keys/source");
    const std::uint64_t k = as_count(value_at(m.cell, "/filter/k")).value_or(0);
    auto target = std::find_if(targets.begin(), targets.end(), [&](const Target& other) {
      return other.source == source && other.k == k;
    });
    if (target == targets.end()) {
      target = targets.insert(targets.end(), {.source = source, .k = k, .members = {}});
    }
    target->members.push_back(&m);
  }
  return targets;
}

Table javascript_table(const std::vector<Target>& targets, const Words& words) {
  Table table{.name = "javascript",
              .caption = words("table.javascript.caption"),
              .columns = {{"keys", "keys"},
                          {"m", "m", "bits"},
                          {"k", "k"},
                          {"planned", words("column.planned")}},
              .rows = {}};
  for (const Variant& variant : variants) {
    table.columns.push_back({words(variant.word), words(variant.word)});
  }
  table.columns.push_back({"orders", words("column.orders")});
  for (const Target& target : targets) {
    auto& row = table.rows.emplace_back();
    row = {word_entry(target.source), count_entry(static_cast<std::uint64_t>(target.size(false))),
           count_entry(target.k), number_entry(target.planned(), 4)};
    for (const Variant& variant : variants) {
      const Measurement* m = target.find(variant);
      if (m == nullptr) {
        row.push_back(no_entry());
        continue;
      }
      const auto& rate = m->estimate->rate;
      row.push_back(interval_entry(rate.value, rate.interval.low, rate.interval.high));
    }
    row.push_back(number_entry(target.orders(), 2));
  }
  return table;
}

/// Measured against planned rates for one source of keys; on the dashed line theory is met.
plot::Figure source_figure(const Experiment& experiment, const std::vector<Target>& targets,
                           const std::string& source, const Words& words) {
  plot::Figure figure{.name = experiment.stem + "_" + source,
                      .title = words("figure.javascript_filter.title", {{"source", source}}),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {.label = words("axis.planned_rate"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                      .series = {}};
  plot::Series line{.name = words("series.planned"),
                    .kind = plot::Kind::line,
                    .role = plot::Role::reference,
                    .points = {}};
  for (const Variant& variant : variants) {
    if (!variant.drawn) continue;
    plot::Series series{.name = words(variant.word), .points = {}};
    for (const Target& target : targets) {
      const Measurement* m = target.find(variant);
      if (target.source != source || m == nullptr || !(target.planned() > 0)) continue;
      const auto& rate = m->estimate->rate;
      series.points.push_back({.x = target.planned(),
                               .y = rate.value,
                               .low = std::min(rate.interval.low, rate.value),
                               .high = std::max(rate.interval.high, rate.value)});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  for (const Target& target : targets) {
    const double rate = target.planned();
    if (target.source != source || !(rate > 0)) continue;
    line.points.push_back({.x = rate, .y = rate, .low = rate, .high = rate});
  }
  std::sort(line.points.begin(), line.points.end(),
            [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
  if (!figure.series.empty()) figure.series.push_back(std::move(line));
  figure.words = figure_words(words);
  return figure;
}

/// "planned 0.0101: 0.00035 as written, 0.0102 unsigned, 1.5 orders", target by target.
std::vector<std::string> orders_of(const std::vector<Target>& targets, const std::string& source,
                                   const Words& words) {
  std::vector<std::string> texts;
  for (const Target& target : targets) {
    if (target.source != source || std::isnan(target.orders())) continue;
    texts.push_back(words("javascript.item", {{"planned", significant(target.planned(), 3)},
                                              {"written", rate_text(target.find(as_written))},
                                              {"meant", rate_text(target.find(meant))},
                                              {"orders", significant(target.orders(), 2)}}));
  }
  return texts;
}

}  // namespace

Content javascript_exhibit(const Experiment& experiment, const Words& words) {
  const auto targets = targets_of(experiment);
  std::vector<std::string> sources;
  for (const Target& target : targets) {
    if (std::find(sources.begin(), sources.end(), target.source) == sources.end()) {
      sources.push_back(target.source);
    }
  }
  Content content;
  const auto random = orders_of(targets, "uniform", words);
  content.values = {{"random_list", joined(random)},
                    {"random_last", random.empty() ? "–" : random.back()},
                    {"words_list", joined(orders_of(targets, "file", words))},
                    {"addresses_list", joined(orders_of(targets, "numbered", words))}};
  content.tables = {javascript_table(targets, words)};
  for (const std::string& source : sources) {
    content.figures.push_back(source_figure(experiment, targets, source, words));
  }
  return content;
}

}  // namespace bloomlab::analysis
