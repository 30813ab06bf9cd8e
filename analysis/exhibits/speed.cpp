// Speeds: what inserts and lookups cost beside the limits of the machine, figures of how that
// grows, and what rate goes with it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/exhibits/speed_rows.hpp"
#include "analysis/exhibits/speed_tables.hpp"
#include "core/hash/speed_hash.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

using plot::Figure;
using plot::Series;

bool is_usual_place(const SpeedRow& row) {
  return row.available && word_at(row.cell, "/pages") == "huge" &&
         word_at(row.cell, "/hash") == speed_hash;
}

/// Rows in the usual conditions, one regime only: what a figure may put side by side.
bool is_usual(const SpeedRow& row) {
  return is_usual_place(row) && word_at(row.cell, "/regime") == "batched" &&
         word_at(row.cell, "/key_length") == "8" && !row.cell.contains("lookahead");
}

bool is_usual_alone(const SpeedRow& row) { return is_usual(row) && threads_of(row) == 1; }

/// Rows of building of which the cell says by how many threads.
bool is_usual_building(const SpeedRow& row) {
  return is_usual_place(row) && row.cell.contains("threads") && !row.cell.contains("regime");
}

plot::Point timed_point(double x, const SpeedTime& time) {
  return {.x = x, .y = time.value, .low = time.interval.low, .high = time.interval.high};
}

/// Series by subject over a number of the cell; those with one value of it are left out.
std::vector<Series> series_over(const SpeedRun& run, const std::string& path,
                                const std::string& name,
                                const std::function<bool(const SpeedRow&)>& fits) {
  std::vector<Series> all;
  for (const SpeedRow& row : run.rows) {
    const auto time = row.times.find(name);
    if (!fits(row) || time == row.times.end()) continue;
    auto series = std::find_if(all.begin(), all.end(),
                               [&](const Series& other) { return other.name == row.subject(); });
    if (series == all.end()) {
      all.push_back({.name = row.subject(), .points = {}});
      series = all.end() - 1;
    }
    series->points.push_back(timed_point(number_at(row.cell, path), time->second));
  }
  for (Series& series : all) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
  }
  std::erase_if(
      all, [](const Series& series) { return series.points.front().x == series.points.back().x; });
  return all;
}

/// Sizes of the caches as the run measured them, as keys at so many bits each.
std::vector<plot::Marker> cache_markers(const Experiment& experiment, double bits_per_key) {
  std::vector<plot::Marker> markers;
  const auto speed = experiment.provenance.find("speed");
  if (speed == experiment.provenance.end() || !speed->contains("caches")) return markers;
  for (const Json& cache : speed->at("caches")) {
    const double bytes = number_at(cache, "/bytes");
    if (!(bytes > 0)) continue;
    markers.push_back({.axis = plot::MarkerAxis::x,
                       .at = bytes * 8.0 / bits_per_key,
                       .label = "L" + value_text(value_at(cache, "/level"))});
  }
  return markers;
}

/// The bits per key that most rows have.
double usual_bits_per_key(const SpeedRun& run) {
  std::map<double, int> rows;
  for (const SpeedRow& row : run.rows) ++rows[number_at(row.cell, "/bits_per_key")];
  const auto most = std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == rows.end() ? unknown : most->first;
}

Figure size_figure(const Experiment& experiment, const SpeedRun& run, const Words& words) {
  const double bits_per_key = usual_bits_per_key(run);
  const auto fits = [&](const SpeedRow& row) {
    return is_usual_alone(row) && number_at(row.cell, "/bits_per_key") == bits_per_key;
  };
  return {.name = experiment.stem + "_by_size",
          .title = words("speed.by_size.title"),
          .caption = words("speed.by_size.caption", {{"bits", value_text(Json(bits_per_key))}}),
          .x = {.label = words("axis.inserted"), .scale = plot::Scale::log},
          .y = {.label = words("speed.axis_negative"), .scale = plot::Scale::log},
          .series = series_over(run, "/n", "negative", fits),
          .markers = cache_markers(experiment, bits_per_key)};
}

/// Filters of the most frequent n and bits per key: cheap and right is below and to the left.
Figure pareto_figure(const Experiment& experiment, const SpeedRun& run, const Words& words) {
  const double bits_per_key = usual_bits_per_key(run);
  std::map<double, int> sizes;
  const auto fits = [&](const SpeedRow& row) {
    return is_usual_alone(row) && row.rate && row.rate->value > 0 &&
           number_at(row.cell, "/bits_per_key") == bits_per_key && row.times.contains("negative");
  };
  for (const SpeedRow& row : run.rows) {
    if (fits(row)) ++sizes[number_at(row.cell, "/n")];
  }
  Figure figure{.name = experiment.stem + "_rate_by_cost",
                .title = words("speed.pareto.title"),
                .caption = "",
                .x = {.label = words("speed.axis_negative"), .scale = plot::Scale::log},
                .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                .series = {}};
  if (sizes.empty()) return figure;
  const double n = std::prev(sizes.end())->first;
  figure.caption = words("speed.pareto.caption",
                         {{"bits", value_text(Json(bits_per_key))}, {"n", value_text(Json(n))}});
  for (const SpeedRow& row : run.rows) {
    if (!fits(row) || number_at(row.cell, "/n") != n) continue;
    figure.series.push_back({.name = row.subject(),
                             .points = {{.x = row.time("negative"),
                                         .y = row.rate->value,
                                         .low = row.rate->interval.low,
                                         .high = row.rate->interval.high}}});
  }
  return figure;
}

/// Rates over the memory really taken, beside the least that any filter needs, log2(1/p).
Figure bits_figure(const Experiment& experiment, const SpeedRun& run, const Words& words) {
  Figure figure{.name = experiment.stem + "_rate_by_bits",
                .title = words("speed.by_bits.title"),
                .caption = words("speed.by_bits.caption"),
                .x = {.label = words("speed.axis_bits")},
                .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                .series = {}};
  std::map<std::string, std::vector<plot::Point>> points;
  double most = 0;
  for (const SpeedRow& row : run.rows) {
    if (!row.available || !row.rate || !(row.rate->value > 0)) continue;
    auto& of_subject = points[row.subject()];
    const double bits = 8.0 * row.bytes_per_key;
    const bool known = std::any_of(of_subject.begin(), of_subject.end(),
                                   [&](const plot::Point& point) { return point.x == bits; });
    if (known || bits > 40) continue;
    of_subject.push_back({.x = bits,
                          .y = row.rate->value,
                          .low = row.rate->interval.low,
                          .high = row.rate->interval.high});
    most = std::max(most, bits);
  }
  for (auto& [subject, of_subject] : points) {
    if (of_subject.empty()) continue;
    figure.series.push_back({.name = subject, .points = std::move(of_subject)});
  }
  if (figure.series.empty()) return figure;
  Series bound{.name = words("speed.bound"),
               .kind = plot::Kind::line,
               .role = plot::Role::reference,
               .points = {}};
  for (double bits = 4; bits <= most; bits += 1) {
    bound.points.push_back({.x = bits, .y = std::exp2(-bits)});
  }
  figure.series.push_back(std::move(bound));
  return figure;
}

/// What threads are shown to gain in.
struct ScalingFigure {
  const char* name;     ///< after the name of the file
  const char* title;    ///< of words
  const char* caption;  ///< of words
  const char* time;     ///< of a row
  bool (*fits)(const SpeedRow& row);
  /// Keys done in a row's time by so many threads, over those by one.
  double (*work)(double threads);
};

constexpr ScalingFigure lookup_scaling = {
    .name = "_by_threads",
    .title = "speed.by_threads.title",
    .caption = "speed.by_threads.caption",
    .time = "negative",
    .fits = is_usual,
    .work = [](double threads) { return threads; }};  // each thread asks as many keys

constexpr ScalingFigure build_scaling = {
    .name = "_build_by_threads",
    .title = "speed.build_by_threads.title",
    .caption = "speed.build_by_threads.caption",
    .time = "build",
    .fits = is_usual_building,
    .work = [](double /*threads*/) { return 1.0; }};  // all of them share the keys of one filter

Figure scaling_figure(const Experiment& experiment, const SpeedRun& run, const Words& words,
                      const ScalingFigure& scaling) {
  Figure figure{.name = experiment.stem + scaling.name,
                .title = words(scaling.title),
                .caption = words(scaling.caption),
                .x = {.label = words("speed.axis_threads")},
                .y = {.label = words("speed.axis_scaling")},
                .series = series_over(run, "/threads", scaling.time, scaling.fits)};
  std::set<double> threads;  // there is no half of a thread to put a tick at
  for (Series& series : figure.series) {
    // Points come by increasing threads; without the time of one there is nothing to compare with.
    if (series.points.front().x != 1.0) {
      series.points.clear();
      continue;
    }
    const double alone = series.points.front().y;
    for (plot::Point& point : series.points) {
      const plot::Point time = point;
      threads.insert(time.x);
      const double work = scaling.work(point.x);
      point.y = work * alone / time.y;
      point.low = work * alone / time.high;
      point.high = work * alone / time.low;
    }
    std::erase_if(series.points, [](const plot::Point& point) { return !(point.y > 0); });
  }
  figure.x.ticks.assign(threads.begin(), threads.end());
  std::erase_if(figure.series, [](const Series& series) { return series.points.empty(); });
  const bool scales = std::any_of(
      figure.series.begin(), figure.series.end(),
      [](const Series& series) { return series.points.front().x < series.points.back().x; });
  if (!scales) figure.series.clear();
  return figure;
}

/// What every section of speeds has; tables as one text, since regimes differ between configs.
Content speed_content(const SpeedRun& run, const Words& words) {
  Content content;
  std::string text;
  for (Table& table : speed_tables(run, words)) {
    text.append(text.empty() ? "" : "\n\n").append(markdown(table));
    table.shown = Shown::csv_only;
    content.tables.push_back(std::move(table));
  }
  content.values = {{"speeds", text},
                    {"speed_fastest", speed_fastest_text(run, words)},
                    {"speed_rates", speed_rates_text(run, words)},
                    {"speed_quiet", speed_quiet_text(run, words)}};
  return content;
}

SpeedRun run_of(const Experiment& experiment) {
  if (!is_speed_kind(experiment.kind)) {
    throw record::InputError(experiment.file_name + ": holds results of the kind \"" +
                             experiment.kind +
                             "\", which are no speeds; measure again with `bloomlab run --force`");
  }
  return speed_run(experiment.config, experiment.observations, experiment.file_name);
}

}  // namespace

Content speed_exhibit(const Experiment& experiment, const Words& words) {
  const SpeedRun run = run_of(experiment);
  Content content = speed_content(run, words);
  for (Figure& figure : std::vector<Figure>{
           size_figure(experiment, run, words), pareto_figure(experiment, run, words),
           bits_figure(experiment, run, words),
           scaling_figure(experiment, run, words, lookup_scaling),
           scaling_figure(experiment, run, words, build_scaling)}) {
    if (!figure.series.empty()) content.figures.push_back(std::move(figure));
  }
  return content;
}

Content external_peers_exhibit(const Experiment& experiment, const Words& words) {
  Content content = speed_exhibit(experiment, words);
  std::vector<std::string> peers;
  for (const Json& peer : experiment.provenance.value("peers", Json::array())) {
    std::string text;
    for (const auto& [key, value] : peer.items()) {
      text.append(text.empty() ? "" : ", ").append(key).append(" ").append(value_text(value));
    }
    peers.push_back(markdown_escaped(text));
  }
  content.values["peers"] = peers.empty() ? words("speed.peers_unknown") : joined(peers);
  return content;
}

Content speed_table_exhibit(const Experiment& experiment, const Words& words) {
  return speed_content(run_of(experiment), words);
}

}  // namespace bloomlab::analysis
