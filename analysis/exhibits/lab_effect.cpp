// How far the lab's five hash functions are from ideal, size by size, beside a good hash.
#include <algorithm>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

bool is_standard(const Measurement& m) { return word_at(m.cell, "/filter/kind") == "standard"; }

bool is_lab_hash(const Measurement& m) { return word_at(m.cell, "/hash/probe") == "lab_shift_xor"; }

/// The hash, and where it says more, the index family: "xxhash3_64, independent".
std::string hash_label(const Measurement& m) {
  return word_at(m.cell, "/hash/name") + ", " + word_at(m.cell, "/hash/probe");
}

std::vector<std::string> hashes_of(const Experiment& experiment) {
  std::vector<std::string> labels;
  for (const Measurement& m : experiment.measurements) {
    const std::string label = hash_label(m);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  return labels;
}

/// The filter of a cell as one text, whatever it is.
std::string filter_label(const Measurement& m) {
  const double fp = number_at(m.cell, "/filter/fp");
  return word_at(m.cell, "/filter/kind") +
         (fp == fp ? ", fp = " + parameter_text(fp) : std::string());
}

/// One row for every filter, one column for every hash.
Table effect_table(const Experiment& experiment, const Words& words) {
  const std::vector<std::string> hashes = hashes_of(experiment);
  Table table{.name = "lab_effect",
              .caption = words("table.lab_effect.caption"),
              .columns = {{"filter", "filter"}, {"m", "m", "bits"}},
              .rows = {}};
  for (const std::string& hash : hashes) {
    table.columns.push_back({"deviation " + hash, hash});
    table.columns.push_back({"z " + hash, words("column.z")});
  }
  std::vector<std::string> done;
  for (const Measurement& first : experiment.measurements) {
    const std::string filter = value_at(first.cell, "/filter").dump();
    if (std::find(done.begin(), done.end(), filter) != done.end()) continue;
    done.push_back(filter);
    auto& row = table.rows.emplace_back();
    row.push_back(word_entry(filter_label(first)));
    row.push_back(count_entry(value_at(first.cell, "/filter/m").get<std::uint64_t>()));
    for (const std::string& hash : hashes) {
      const Measurement* m = find_measurement(experiment, [&](const Measurement& other) {
        return value_at(other.cell, "/filter").dump() == filter && hash_label(other) == hash;
      });
      row.push_back(m == nullptr ? no_entry() : deviation_entry_of(*m));
      const bool tested = m != nullptr && m->estimate->rate_test.has_value();
      row.push_back(tested ? Entry{fixed(m->estimate->rate_test->z, 1), m->estimate->rate_test->z}
                           : no_entry());
    }
  }
  return table;
}

plot::Figure effect_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.lab_effect.title"),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {.label = axis_label("/filter/m"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.ratio")},
                      .series = {}};
  for (const std::string& hash : hashes_of(experiment)) {
    plot::Series series{.name = hash, .points = {}};
    for (const Measurement& m : experiment.measurements) {
      const Deviation deviation = deviation_of(m);
      if (!is_standard(m) || hash_label(m) != hash || !deviation.known()) continue;
      series.points.push_back({.x = number_at(m.cell, "/filter/m"),
                               .y = 1 + deviation.value,
                               .low = 1 + std::min(deviation.low, deviation.value),
                               .high = 1 + std::max(deviation.high, deviation.value)});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  figure.markers = {{.axis = plot::MarkerAxis::y, .at = 1}};
  return figure;
}

std::string worst_text(const Measurement* worst, const Words& words) {
  if (worst == nullptr) return words("not_measured");
  return words("lab_effect.worst", {{"m", value_text(value_at(worst->cell, "/filter/m"))},
                                    {"deviation", deviation_of(*worst).text()},
                                    {"rate", rate_text(worst)},
                                    {"exact", significant(worst->prediction->rate, 5)}});
}

}  // namespace

Content lab_effect_exhibit(const Experiment& experiment, const Words& words) {
  const auto worst = [&](bool lab) {
    return most_deviant(experiment, [lab](const Measurement& m) {
      return is_standard(m) && is_lab_hash(m) == lab;
    });
  };
  Content content;
  content.values = {{"lab_worst", worst_text(worst(true), words)},
                    {"good_worst", worst_text(worst(false), words)}};
  content.tables = {effect_table(experiment, words)};
  content.figures = {effect_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
