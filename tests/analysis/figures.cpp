#include "analysis/pages/figures.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "analysis/plot/layout.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"

using namespace bloomlab::analysis;
using namespace bloomlab::analysis::pages;

TEST_CASE("a spread has every integer of a short range, and the ends of a long one",
          "[analysis][figures]") {
  CHECK(spread(3, 6, 80) == std::vector<std::uint64_t>{3, 4, 5, 6});
  CHECK(spread(5, 5, 80) == std::vector<std::uint64_t>{5});
  const auto wide = spread(10, 1000000, 50);
  CHECK(wide.size() == 50);
  CHECK(wide.front() == 10);
  CHECK(wide.back() == 1000000);
  CHECK(std::is_sorted(wide.begin(), wide.end()));
}

TEST_CASE("an axis is logarithmic when its values span more than a decade", "[analysis][figures]") {
  CHECK(scale_for({1, 5, 9}) == plot::Scale::linear);
  CHECK(scale_for({1, 11}) == plot::Scale::log);
  CHECK(scale_for({0, 11}) == plot::Scale::linear);
  CHECK(scale_for({}) == plot::Scale::linear);
}

TEST_CASE("any config gets a figure: first numeric axis, a curve for each other value",
          "[analysis][figures]") {
  const auto experiment = synthetic::experiment(
      {.stem = "students_own", .m = {4000, 8000, 16000}, .k = {2, 4}, .trials = 5});
  const auto figures = automatic_figures(experiment, Words("en"));
  REQUIRE(figures.size() == 1);
  const plot::Figure& figure = figures[0];
  CHECK(figure.name == "students_own");
  CHECK(figure.x.label == "m [bits]");
  CHECK_THAT(figure.caption, Catch::Contains("students_own.json"));
  REQUIRE(figure.series.size() == 4);
  CHECK(figure.series[0].role == plot::Role::theory);
  CHECK(figure.series[2].group == "k = 2");
  CHECK(figure.series[3].group == "k = 4");
  CHECK(figure.series[2].points.size() == 3);
  CHECK(figure.series[0].points.size() == 80);
  REQUIRE(figure.ratio);
  CHECK(figure.ratio->series.size() == 2);
  CHECK_NOTHROW(plot::gnuplot_script(figure));
}

TEST_CASE("the line of theory goes through the exact rates", "[analysis][figures]") {
  const auto experiment = synthetic::experiment({.m = {4000, 16000}, .k = {3}, .trials = 5});
  const auto figure = automatic_figures(experiment, Words("en"))[0];
  const auto& line = figure.series[0].points;
  CHECK(line.front().y == experiment.measurements[0].prediction->rate);
  CHECK(line.back().y == experiment.measurements[1].prediction->rate);
}

TEST_CASE("m that follows n makes no curves of its own", "[analysis][figures]") {
  auto first = synthetic::results({.n = 1000, .m = {8000}, .k = {4}, .trials = 5});
  const auto second = synthetic::results({.n = 2000, .m = {16000}, .k = {4}, .trials = 5});
  for (const auto& observation : second.observations) first.observations.push_back(observation);
  const auto experiment =
      analyse({.stem = "a", .file_name = "a.json", .file = first, .confirmation = {}});
  const auto figure = automatic_figures(experiment, Words("en"))[0];
  CHECK(figure.x.label == "n [keys]");
  REQUIRE(figure.series.size() == 2);
  CHECK(figure.series[1].points.size() == 2);
  // The line is drawn at the measured places only: between them m is not known.
  CHECK(figure.series[0].points.size() == 2);
}

TEST_CASE("a growing filter is drawn along the keys inserted", "[analysis][figures]") {
  auto file = synthetic::results({.m = {10000}, .k = {5}, .trials = 1});
  file.observations.push_back(file.observations[0]);
  bloomlab::tests::edit(file.observations, [&](auto& list) {
    list[0].step = 1;
    list[1].step = 2;
    list[0].measured["inserted"] = 500;
    list[0].measured["true_positives"] = 500;
  });
  const auto experiment =
      analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}});
  const auto figure = automatic_figures(experiment, Words("en"))[0];
  CHECK(figure.x.label == "keys inserted");
  CHECK(figure.series[1].points[0].x == 500);
  CHECK(figure.series[1].points[1].x == 1000);
}

TEST_CASE("a single cell has no figure", "[analysis][figures]") {
  const auto experiment = synthetic::experiment({.m = {8000}, .k = {4}, .trials = 5});
  CHECK(automatic_figures(experiment, Words("en")).empty());
}

TEST_CASE("where no key met a part of the curves, that part stands without ratios",
          "[analysis][figures]") {
  std::vector<std::uint64_t> k(32);
  std::iota(k.begin(), k.end(), 1);
  const auto none_beyond = [](const Json& cell) {
    return cell.at("filter").at("k").get<int>() > 8 ? 0.0 : 1.0;
  };
  const auto experiment = synthetic::experiment(
      {.n = 100, .m = {4000, 8000}, .k = k, .trials = 2, .queries = 10000, .factor = none_beyond});
  const auto figures = automatic_figures(experiment, Words("en"));
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].ratio);
  CHECK_FALSE(figures[3].ratio);
  for (const plot::Figure& figure : figures) CHECK_NOTHROW(plot::gnuplot_script(figure));
}

TEST_CASE("a sweep of many curves is drawn in parts up to a limit, which the last one says",
          "[analysis][figures]") {
  std::vector<std::uint64_t> k(8 * most_parts + 1);
  std::iota(k.begin(), k.end(), 1);
  const auto experiment =
      synthetic::experiment({.n = 100, .m = {4000, 8000}, .k = k, .trials = 1, .queries = 1000});
  const auto figures = automatic_figures(experiment, Words("en"));
  REQUIRE(figures.size() == most_parts);
  CHECK_THAT(figures.back().caption, Catch::Contains("Parts that are not drawn: 1;"));
  CHECK_THAT(figures.front().caption, !Catch::Contains("not drawn"));
}

TEST_CASE("a legend leaves out a name that all lines share, and keeps what points are",
          "[analysis][figures]") {
  plot::Figure figure;
  figure.name = "lines";
  figure.title = "Lines";
  for (const char* group : {"one", "other"}) {
    figure.series.push_back(
        {.name = "share", .kind = plot::Kind::line, .points = {{1, 1}, {2, 3}}, .group = group});
  }
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const auto& entry : plot::lay_out(figure).legend) all.push_back(entry.text);
    return all;
  };
  CHECK(texts() == std::vector<std::string>{"one", "other"});
  figure.series.push_back({.name = "limit",
                           .kind = plot::Kind::line,
                           .role = plot::Role::reference,
                           .points = {{1, 2}, {2, 2}}});
  CHECK(texts() == std::vector<std::string>{"one", "other", "limit"});
  figure.series.push_back({.name = "measured", .points = {{1, 1}, {2, 3}}, .group = "one"});
  CHECK(texts() == std::vector<std::string>{"one", "other", "share", "limit", "measured"});
}
