#include "samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace plot_samples {
namespace {

using namespace bloomlab::analysis::plot;

double rate(double bits_per_key, double k) { return std::pow(-std::expm1(-k / bits_per_key), k); }

/// A made-up deviation in standard errors, the same at every call.
double noise(std::size_t i) {
  constexpr std::array<double, 8> values = {0.31, -1.12, 0.87, -0.22, 1.64, -0.58, 0.05, -1.9};
  return values[(i * 5 + i / 8) % values.size()];
}

Point measured(double x, double p, double queries, std::size_t i) {
  const double error = std::sqrt(p * (1 - p) / queries);
  const double hits = std::floor(queries * std::max(0.0, p + noise(i) * error) + 0.5);
  if (hits == 0) return {x, 0, 0, 3.7 / queries};
  const double y = hits / queries;
  const double half = 1.96 * std::sqrt(y * (1 - y) / queries);
  return {x, y, std::max(0.0, y - half), y + half};
}

Point over(const Point& point, double p) {
  return {point.x, point.y / p, point.low / p, point.high / p};
}

std::string group_of(double bits_per_key) {
  return "m/n = " + std::to_string(static_cast<int>(bits_per_key));
}

}  // namespace

Figure rate_by_k() {
  Figure figure;
  figure.name = "sample_rate_by_k";
  figure.title =
      "Measured rates follow the exact rate for every k, and are least at k = ln 2 · m/n";
  figure.caption =
      "n = 100 000 keys, 3·10⁶ queries in 30 trials, xxhash3_64, independent probes; bars are 95 "
      "% "
      "intervals. Data: results/fpr_vs_k.json.";
  figure.x = {.label = "probes per key k"};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log};
  figure.ratio.emplace();
  std::size_t i = 0;
  for (const double bits_per_key : {4.0, 8.0, 16.0, 32.0}) {
    Series points{
        "measured, 95 % interval", Kind::points, Role::measured, {}, group_of(bits_per_key)};
    Series line{"exact rate", Kind::line, Role::theory, {}, group_of(bits_per_key)};
    Series ratio = points;
    for (int k = 1; k <= 24; ++k, ++i) {
      const double p = rate(bits_per_key, k);
      points.points.push_back(measured(k, p, 3e6, i));
      line.points.push_back({static_cast<double>(k), p});
      if (p > 1e-5) ratio.points.push_back(over(points.points.back(), p));
    }
    figure.series.push_back(line);
    figure.series.push_back(points);
    figure.ratio->series.push_back(ratio);
  }
  return figure;
}

Figure rate_by_m() {
  Figure figure;
  figure.name = "sample_rate_by_m";
  figure.title = "How large must the filter be for a given rate?";
  figure.caption = "n = 100 000 keys, best k for every m. Data: results/fpr_vs_m.json.";
  figure.x = {.label = "filter size m [bits]", .scale = Scale::log};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log};
  Series points{"measured, 95 % interval", Kind::points, Role::measured, {}, "standard"};
  Series line{"exact rate", Kind::line, Role::theory, {}, "standard"};
  Series bound{"information bound", Kind::line, Role::reference, {}};
  for (std::size_t i = 0; i <= 12; ++i) {
    const double bits_per_key = std::pow(2.0, 1 + static_cast<double>(i) / 3);
    const double m = bits_per_key * 1e5;
    const double p = rate(bits_per_key, std::max(1.0, std::round(bits_per_key * 0.6931)));
    points.points.push_back(measured(m, p, 1e6, i));
    line.points.push_back({m, p});
    bound.points.push_back({m, std::exp2(-bits_per_key)});
  }
  figure.series = {bound, line, points};
  figure.markers = {{MarkerAxis::y, 0.01, "target 1 %"}};
  return figure;
}

Figure rate_by_fill() {
  Figure figure;
  figure.name = "sample_rate_by_fill";
  figure.title = "At equal size the rate is least where about half of the bits are set";
  figure.caption = "m/n = 8 and 12, k from 1 to 16. Data: results/fpr_vs_fill.json.";
  figure.x = {.label = "share of bits set", .low = 0, .high = 1};
  figure.y = {.label = "false-positive rate p"};
  std::size_t i = 3;
  for (const double bits_per_key : {8.0, 12.0}) {
    Series points{
        "measured, 95 % interval", Kind::points, Role::measured, {}, group_of(bits_per_key)};
    Series line{"(fill)^k", Kind::line, Role::theory, {}, group_of(bits_per_key)};
    for (int k = 1; k <= 16; ++k, ++i) {
      const double fill = -std::expm1(-k / bits_per_key);
      points.points.push_back(measured(fill, std::pow(fill, k), 2e4, i));
    }
    for (double k = 1; k <= 16.01; k += 0.25) {
      const double fill = -std::expm1(-k / bits_per_key);
      line.points.push_back({fill, std::pow(fill, k)});
    }
    figure.series.push_back(line);
    figure.series.push_back(points);
  }
  figure.markers = {{MarkerAxis::x, 0.5, "one half"},
                    {MarkerAxis::x, 0.527, "best for integer k, m/n = 8"}};
  return figure;
}

Figure growth() {
  Figure figure;
  figure.name = "sample_growth";
  figure.title =
      "A scalable filter holds its target beyond its first capacity; a standard one does not";
  figure.caption =
      "First capacity 10 000 keys, target 1 %. Data: results/standard_vs_scalable.json.";
  figure.x = {.label = "keys inserted n"};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log, .low = 1e-4};
  Series scalable{"measured", Kind::step, Role::measured, {}, "scalable"};
  Series scalable_theory{"expected", Kind::line, Role::theory, {}, "scalable"};
  Series standard{"measured", Kind::step, Role::measured, {}, "standard"};
  Series standard_theory{"expected", Kind::line, Role::theory, {}, "standard"};
  for (std::size_t i = 1; i <= 80; ++i) {
    const double n = 2000.0 * static_cast<double>(i);
    const double flat = rate(9.585e4 / n, 7);
    const double layered = 0.009 * (1 - std::exp(-n / 9000)) * (0.8 + 0.1 * std::sin(n / 9000));
    scalable.points.push_back({n, layered * (1 + 0.02 * noise(i))});
    scalable_theory.points.push_back({n, layered});
    standard.points.push_back({n, flat * (1 + 0.02 * noise(i + 3))});
    standard_theory.points.push_back({n, flat});
  }
  figure.series = {scalable, scalable_theory, standard, standard_theory};
  figure.markers = {{MarkerAxis::y, 0.01, "target 1 %"},
                    {MarkerAxis::x, 10000, "layer 2"},
                    {MarkerAxis::x, 30000, "layer 3"},
                    {MarkerAxis::x, 70000, "layer 4"},
                    {MarkerAxis::x, 150000, "layer 5"}};
  return figure;
}

Figure by_category() {
  Figure figure;
  figure.name = "sample_by_category";
  figure.title = "Which hash and index family keep the rate that theory promises?";
  figure.caption = "m/n = 10, k = 7, 10^6 queries x 30 trials. Data: results/hash_choice.json.";
  figure.x.label = "hash, index family";
  for (const char* hash : {"xxhash3_64", "murmur3_128", "fnv1a_64", "md5", "sha256"}) {
    for (const char* probe : {"independent", "double_hashing", "enhanced_double_hashing"}) {
      figure.x.categories.push_back(std::string(hash) + ", " + probe);
    }
  }
  figure.y = {.label = "measured / exact rate", .low = 0.96, .high = 1.06};
  std::size_t i = 0;
  for (const char* source : {"uniform keys", "sequential keys"}) {
    Series points{source, Kind::points, Role::measured, {}};
    for (std::size_t c = 0; c < figure.x.categories.size(); ++c, ++i) {
      const double y = (c == 7 && i > 15 ? 1.12 : 1) + 0.004 * noise(i);
      points.points.push_back({static_cast<double>(c), y, y - 0.008, y + 0.008});
    }
    figure.series.push_back(points);
  }
  figure.markers = {{MarkerAxis::y, 1, ""}};
  return figure;
}

Figure many_curves() {
  Figure figure;
  figure.name = "sample_many_curves";
  figure.title = "The textbook's whole table: every m/n from 2 to 32, every k from 1 to 24";
  figure.caption =
      "744 cells, n = 100 000, 10^6 queries x 30 trials. Data: results/textbook_table.json.";
  figure.x = {.label = "probes per key k"};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log};
  std::size_t i = 0;
  for (int bits_per_key = 2; bits_per_key <= 32; ++bits_per_key) {
    Series points{"measured", Kind::points, Role::measured, {}, group_of(bits_per_key)};
    Series line{"exact rate", Kind::line, Role::theory, {}, group_of(bits_per_key)};
    for (int k = 1; k <= 24; ++k, ++i) {
      const double p = rate(bits_per_key, k);
      points.points.push_back(measured(k, p, 3e6, i));
      line.points.push_back({static_cast<double>(k), p});
    }
    figure.series.push_back(line);
    figure.series.push_back(points);
  }
  return figure;
}

Figure labelled_points() {
  Figure figure;
  figure.name = "sample_labelled_points";
  figure.title = "Rate against time at 10 bits per key";
  figure.caption = "n = 10^7 keys. Data: results/throughput.json.";
  figure.x = {.label = "time per query [ns]"};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log};
  figure.series = {{"measured, 95 % interval",
                    Kind::points,
                    Role::measured,
                    {{3.1, 0.0125, 0.012, 0.013, "split_block"},
                     {3.3, 0.0105, 0.0102, 0.0108, "blocked"},
                     {2.4, 0.034, 0.0333, 0.0347, "register_blocked"},
                     {9.7, 0.0082, 0.0080, 0.0084, "standard"},
                     {7.9, 0.0039, 0.0037, 0.0041, "fuse"}}}};
  return figure;
}

Figure difficult_text() {
  Figure figure;
  figure.name = "sample_difficult_text";
  figure.title = "x_1^{2} @a & b~c \\d {e} 'q' \"t\" `id` <tag> 100 % $HOME";
  figure.caption =
      "误判率与每个元素的位数的关系，误差线为百分之九十五置信区间；数据文件 results/fpr_vs_m.json。"
      "Доля ложных срабатываний в зависимости от размера фильтра; отрезки показывают доверительные "
      "интервалы. Данные: results/fpr_vs_m.json.";
  figure.x = {.label = "每个元素的位数 m/n [бит]", .scale = Scale::log};
  figure.y = {.label = "доля p_{fp} 误判率", .scale = Scale::log};
  figure.words.no_hit = "нет срабатываний: верхняя граница";
  figure.series = {
      {"double_hashing & co", Kind::points, Role::measured, {{2, 0.1, 0.05, 0.2}, {8, 0, 0, 1e-3}}},
      {"теория <точная>", Kind::line, Role::theory, {{2, 0.12}, {8, 1e-4}}}};
  figure.markers = {{MarkerAxis::y, 0.01, "цель_1 %"}};
  return figure;
}

Figure small_panels(int count) {
  Figure figure;
  figure.name = "sample_small_panels_" + std::to_string(count);
  figure.title = "How the rate falls with the hash functions, by the bits per key";
  figure.caption = "n = 100 000 keys. Data: results/fpr_vs_k.json.";
  figure.x = {.label = "probes per key k"};
  figure.y = {.label = "false-positive rate p", .scale = Scale::log};
  std::size_t i = 0;
  for (int panel = 0; panel < count; ++panel) {
    const double bits_per_key = 4.0 * (panel + 1);
    const auto place = static_cast<std::size_t>(panel);
    for (const bool blocked : {false, true}) {
      const std::string group = blocked ? "blocked" : "standard";
      Series points{"measured", Kind::points, Role::measured, {}, group};
      Series line{"exact rate", Kind::line, Role::theory, {}, group};
      for (int k = 1; k <= 16; ++k, ++i) {
        const double p = rate(bits_per_key, k) * (blocked ? 1.5 : 1);
        points.points.push_back(measured(k, std::min(p, 1.0), 3e6, i));
        line.points.push_back({static_cast<double>(k), p});
      }
      points.panel = line.panel = place;
      figure.series.push_back(line);
      figure.series.push_back(points);
    }
    figure.markers.push_back({MarkerAxis::y, 0.01, "target 1 %", false, place});
    figure.panels.push_back(group_of(bits_per_key));
  }
  return figure;
}

Figure small_panels_of_own_scale() {
  Figure figure = small_panels(6);
  figure.name += "_own_scale";
  figure.own_scale = true;
  figure.markers.clear();
  for (std::string& title : figure.panels) title += ", a title that does not fit into one line";
  return figure;
}

std::vector<Figure> all() {
  return {rate_by_k(),     rate_by_m(),     rate_by_fill(),    growth(),
          by_category(),   many_curves(),   labelled_points(), difficult_text(),
          small_panels(3), small_panels(5), small_panels(6),   small_panels_of_own_scale()};
}

}  // namespace plot_samples
