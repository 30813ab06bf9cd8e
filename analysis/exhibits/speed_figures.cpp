#include "analysis/exhibits/speed_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/exhibits/speed_tables.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "core/hash/speed_hash.hpp"
#include "statistics/thresholds.hpp"

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

void sort_by_x(std::vector<plot::Point>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
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
  for (Series& series : all) sort_by_x(series.points);
  std::erase_if(
      all, [](const Series& series) { return series.points.front().x == series.points.back().x; });
  return all;
}

/// The bits per key that most rows have.
double usual_bits_per_key(const SpeedRun& run) {
  std::map<double, int> rows;
  for (const SpeedRow& row : run.rows) ++rows[number_at(row.cell, "/bits_per_key")];
  const auto most = std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == rows.end() ? unknown : most->first;
}

/// How the keys of a row were asked, and where its memory stood.
struct Conditions {
  bool batched = true;
  bool huge_pages = true;
};

/// A row that no closed form is named after is a peer: the file says how it was asked, and where it
/// does not, it took one key after the other on pages of its own.
Conditions conditions_of(const Experiment& experiment, const SpeedRow& row) {
  const bool own = row.law == row.subject();
  const Json& known = experiment.provenance;
  if (!known.is_object() || !known.contains("peers")) return {own, own};
  for (const Json& peer : known.at("peers")) {
    if (word_at(peer, "/subject") != row.subject()) continue;
    return {word_at(peer, "/batch") == "bulk", word_at(peer, "/pages") == "huge"};
  }
  return {own, own};
}

/// The subject, with the memory that it took where that is not what was asked for, and its pages
/// where they are not huge.
std::string full_name(const SpeedRow& row, const Conditions& conditions, const Words& words) {
  constexpr double noticed = 0.05;
  const double taken = 8.0 * row.bytes_per_key;
  const double asked = number_at(row.cell, "/bits_per_key");
  std::string name = row.subject();
  if (std::abs(taken / asked - 1) > noticed) {
    name = words("speed.takes_bits", {{"subject", name}, {"bits", fixed(taken, 1)}});
  }
  return conditions.huge_pages ? name : name + ", " + words("speed.ordinary_pages");
}

/// The series of a row, without points: filters by their conditions, limits as grey lines.
Series series_of(const Experiment& experiment, const SpeedRow& row, const Words& words) {
  if (row.law.empty()) {
    return {.name = row.subject(),
            .kind = plot::Kind::line,
            .role = plot::Role::reference,
            .points = {}};
  }
  const Conditions conditions = conditions_of(experiment, row);
  return {.name = words(conditions.batched ? "speed.in_batches" : "speed.one_by_one"),
          .points = {},
          .group = full_name(row, conditions, words),
          .open = !conditions.batched};
}

/// The series of the row among those there are, or a new one.
Series& series_for(std::vector<Series>& all, Series wanted) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& other) {
    return other.name == wanted.name && other.group == wanted.group;
  });
  if (found != all.end()) return *found;
  all.push_back(std::move(wanted));
  return all.back();
}

std::string level_text() { return percent(statistics::thresholds::interval_level, 2); }

std::string noise_text(const SpeedRun& run, const Words& words) {
  const Disturbances& noise = run.disturbances;
  return words("speed.noise", {{"marked", grouped(noise.marked)},
                               {"runs", grouped(noise.launches)},
                               {"off", percent(statistics::thresholds::disturbance)}});
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
                       .label = "L" + value_text(value_at(cache, "/level")),
                       .shaded = true});
  }
  return markers;
}

/// A time that is drawn over the size of the set.
struct SizeFigure {
  const char* time;  ///< of a row
  const char* name;  ///< after the name of the file
  const char* title;
  const char* axis;
};

constexpr std::array<SizeFigure, 3> size_figures = {
    {{"negative", "_by_size", "speed.by_size.title", "speed.axis_negative"},
     {"positive", "_positive_by_size", "speed.positive_by_size.title", "speed.axis_positive"},
     {"insert", "_insert_by_size", "speed.insert_by_size.title", "speed.axis_insert"}}};

Figure size_figure(const Experiment& experiment, const SpeedRun& run, const Words& words,
                   const SizeFigure& what) {
  const double bits_per_key = usual_bits_per_key(run);
  Figure figure{.name = experiment.stem + what.name,
                .title = words(what.title),
                .caption = words("speed.by_size.caption", {{"bits", value_text(Json(bits_per_key))},
                                                           {"level", level_text()},
                                                           {"noise", noise_text(run, words)}}),
                .x = {.label = words("axis.inserted"), .scale = plot::Scale::log},
                .y = {.label = words(what.axis), .scale = plot::Scale::log},
                .series = {},
                .markers = cache_markers(experiment, bits_per_key)};
  for (const SpeedRow& row : run.rows) {
    const auto time = row.times.find(what.time);
    if (!is_usual_alone(row) || time == row.times.end()) continue;
    if (number_at(row.cell, "/bits_per_key") != bits_per_key) continue;
    Series wanted = series_of(experiment, row, words);
    wanted.joined = wanted.kind == plot::Kind::points;
    series_for(figure.series, std::move(wanted))
        .points.push_back(timed_point(number_at(row.cell, "/n"), time->second));
  }
  for (Series& series : figure.series) sort_by_x(series.points);
  std::erase_if(figure.series, [](const Series& series) {
    return series.points.front().x == series.points.back().x;
  });
  return figure;
}

plot::Point rate_point(double x, const SpeedRate& rate) {
  return {.x = x, .y = rate.value, .low = rate.interval.low, .high = rate.interval.high};
}

/// Filters of the largest n and the most frequent bits per key: cheap and right is below and to the
/// left.
Figure pareto_figure(const Experiment& experiment, const SpeedRun& run, const Words& words) {
  const double bits_per_key = usual_bits_per_key(run);
  const auto fits = [&](const SpeedRow& row) {
    return is_usual_alone(row) && row.rate && row.rate->value > 0 &&
           number_at(row.cell, "/bits_per_key") == bits_per_key && row.times.contains("negative");
  };
  double n = 0;
  for (const SpeedRow& row : run.rows) {
    if (fits(row)) n = std::max(n, number_at(row.cell, "/n"));
  }
  Figure figure{.name = experiment.stem + "_rate_by_cost",
                .title = words("speed.pareto.title", {{"bits", value_text(Json(bits_per_key))}}),
                .caption = words("speed.pareto.caption", {{"bits", value_text(Json(bits_per_key))},
                                                          {"n", value_text(Json(n))},
                                                          {"level", level_text()},
                                                          {"noise", noise_text(run, words)}}),
                .x = {.label = words("speed.axis_negative"), .scale = plot::Scale::log},
                .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                .series = {}};
  for (const SpeedRow& row : run.rows) {
    if (!fits(row) || number_at(row.cell, "/n") != n) continue;
    series_for(figure.series, series_of(experiment, row, words))
        .points.push_back(rate_point(row.time("negative"), *row.rate));
  }
  return figure;
}

/// The least memory of any filter, log2(1/p) bits per key, about where there are points.
Series information_bound(const std::vector<Series>& all, const Words& words) {
  double least = HUGE_VAL;
  double most = 0;
  for (const Series& series : all) {
    least = std::min(least, series.points.front().x);
    most = std::max(most, series.points.back().x);
  }
  Series bound{.name = words("speed.bound"),
               .kind = plot::Kind::line,
               .role = plot::Role::reference,
               .points = {}};
  for (double bits = std::max(1.0, least - 2); bits <= most + 1; bits += 0.25) {
    const double rate = std::exp2(-bits);
    bound.points.push_back({.x = bits, .y = rate, .low = rate, .high = rate});
  }
  return bound;
}

/// Rates over the memory really taken.
Figure bits_figure(const Experiment& experiment, const SpeedRun& run, const Words& words) {
  constexpr double most_bits = 40;  // what takes more keeps the keys themselves
  Figure figure{.name = experiment.stem + "_rate_by_bits",
                .title = words("speed.by_bits.title"),
                .caption = words("speed.by_bits.caption", {{"level", level_text()}}),
                .x = {.label = words("speed.axis_bits")},
                .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                .series = {}};
  for (const SpeedRow& row : run.rows) {
    const double bits = 8.0 * row.bytes_per_key;
    if (!row.available || !row.rate || !(row.rate->value > 0) || bits > most_bits) continue;
    Series& series = series_for(figure.series, {.name = row.subject(), .points = {}});
    const bool known = std::any_of(series.points.begin(), series.points.end(),
                                   [&](const plot::Point& point) { return point.x == bits; });
    if (!known) series.points.push_back(rate_point(bits, *row.rate));
  }
  if (figure.series.empty()) return figure;
  for (Series& series : figure.series) sort_by_x(series.points);
  figure.series.push_back(information_bound(figure.series, words));
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

}  // namespace

std::vector<plot::Figure> speed_figures(const Experiment& experiment, const SpeedRun& run,
                                        const Words& words) {
  std::vector<Figure> figures;
  for (const SizeFigure& what : size_figures) {
    figures.push_back(size_figure(experiment, run, words, what));
  }
  figures.push_back(pareto_figure(experiment, run, words));
  figures.push_back(bits_figure(experiment, run, words));
  figures.push_back(scaling_figure(experiment, run, words, lookup_scaling));
  figures.push_back(scaling_figure(experiment, run, words, build_scaling));
  std::erase_if(figures, [](const Figure& figure) { return figure.series.empty(); });
  for (Figure& figure : figures) figure.words = figure_words(words);
  return figures;
}

}  // namespace bloomlab::analysis
