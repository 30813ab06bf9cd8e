// Every hash, index family and source of keys: how far each combination is from the exact rate.
#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

constexpr const char* source_path = "/keys/source";
constexpr const char* hash_path = "/hash/name";
constexpr const char* probe_path = "/hash/probe";

/// Distinct words at a place, in the order of the grid.
std::vector<std::string> words_at(const Experiment& experiment, const char* path) {
  std::vector<std::string> found;
  for (const Measurement& m : experiment.measurements) {
    const std::string word = word_at(m.cell, path);
    if (std::find(found.begin(), found.end(), word) == found.end()) found.push_back(word);
  }
  return found;
}

const Measurement* combination(const Experiment& experiment, const std::string& source,
                               const std::string& hash, const std::string& probe) {
  return find_measurement(experiment, [&](const Measurement& m) {
    return word_at(m.cell, source_path) == source && word_at(m.cell, hash_path) == hash &&
           word_at(m.cell, probe_path) == probe;
  });
}

Table combination_table(const Experiment& experiment, const Words& words) {
  const auto probes = words_at(experiment, probe_path);
  Table table{.name = "hash_choice",
              .caption = words("table.hash_choice.caption"),
              .columns = {{"keys", "keys"}, {"hash", "hash"}},
              .rows = {}};
  for (const std::string& probe : probes) {
    table.columns.push_back({"deviation " + probe, probe.empty() ? "–" : probe});
  }
  for (const std::string& source : words_at(experiment, source_path)) {
    for (const std::string& hash : words_at(experiment, hash_path)) {
      auto& row = table.rows.emplace_back();
      row = {word_entry(source), word_entry(hash)};
      for (const std::string& probe : probes) {
        const Measurement* m = combination(experiment, source, hash, probe);
        row.push_back(m == nullptr ? no_entry() : deviation_entry_of(*m));
      }
    }
  }
  return table;
}

/// Sources of keys with their hashes from top to bottom, hashing schemes by colour: all on one
/// scale.
plot::Figure combinations_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.hash_choice.title"),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {.label = words("axis.keys_and_hash"), .categories = {}},
                      .y = {.label = words("axis.ratio")},
                      .series = {},
                      .markers = {{.axis = plot::MarkerAxis::y, .at = 1}}};
  for (const std::string& probe : words_at(experiment, probe_path)) {
    figure.series.push_back({.name = probe.empty() ? "–" : probe, .points = {}});
  }
  for (const std::string& source : words_at(experiment, source_path)) {
    for (const std::string& hash : words_at(experiment, hash_path)) {
      const auto row = static_cast<double>(figure.x.categories.size());
      figure.x.categories.push_back(source.empty() ? hash : source + ": " + hash);
      std::size_t i = 0;
      for (const std::string& probe : words_at(experiment, probe_path)) {
        const Measurement* m = combination(experiment, source, hash, probe);
        const Deviation deviation = m == nullptr ? Deviation{} : deviation_of(*m);
        plot::Series& series = figure.series[i++];
        if (!deviation.known()) continue;
        series.points.push_back({.x = row,
                                 .y = 1 + deviation.value,
                                 .low = 1 + std::min(deviation.low, deviation.value),
                                 .high = 1 + std::max(deviation.high, deviation.value)});
      }
    }
  }
  std::erase_if(figure.series, [](const plot::Series& series) { return series.points.empty(); });
  return figure;
}

}  // namespace

Content hash_choice_exhibit(const Experiment& experiment, const Words& words) {
  const Measurement* worst = most_deviant(experiment, [](const Measurement&) { return true; });
  const auto flagged = static_cast<std::uint64_t>(
      std::count_if(experiment.flags.flagged.begin(), experiment.flags.flagged.end(),
                    [](const FlaggedCell& flag) { return flag.test.name == "rate"; }));
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  Content content;
  content.values = {{"combinations", grouped(experiment.measurements.size())},
                    {"rate_flags", grouped(flagged)},
                    {"worst", worst == nullptr ? "–" : label_of(worst->cell, axes)},
                    {"worst_deviation", worst == nullptr ? "–" : deviation_of(*worst).text()}};
  content.tables = {combination_table(experiment, words)};
  plot::Figure figure = combinations_figure(experiment, words);
  if (!figure.series.empty()) content.figures.push_back(std::move(figure));
  return content;
}

}  // namespace bloomlab::analysis
