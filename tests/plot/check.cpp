#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "analysis/plot/figure.hpp"
#include "tests/thrown.hpp"

using namespace bloomlab::analysis::plot;

namespace {

Figure good() {
  Figure figure;
  figure.name = "good";
  figure.y.scale = Scale::log;
  figure.series = {{"measured", Kind::points, Role::measured, {{1, 0.1, 0.05, 0.2}}}};
  return figure;
}

std::string refusal(const std::function<void(Figure&)>& spoil) {
  Figure figure = good();
  spoil(figure);
  return bloomlab::tests::thrown<std::invalid_argument>([&] { check_figure(figure); });
}

}  // namespace

TEST_CASE("a good figure is accepted", "[plot][check]") {
  CHECK(refusal([](Figure&) {}) == "accepted");
}

TEST_CASE("a figure that cannot be drawn is refused with place and reason", "[plot][check]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(refusal([](Figure& f) { f.name = "a/b"; }) ==
        "figure \"a/b\": bad name; allowed are letters, digits, '_' and '-'");
  CHECK(refusal([](Figure& f) { f.series.clear(); }) == "figure good: has no series");
  CHECK(refusal([](Figure& f) { f.series[0].name.clear(); }) ==
        "figure good, series \"\": has no name");
  CHECK(refusal([](Figure& f) { f.series[0].points.clear(); }) ==
        "figure good, series \"measured\": has no points");
  CHECK(refusal([](Figure& f) { f.series[0].points[0].high = infinity; }) ==
        "figure good, series \"measured\": a value is beyond 1e100, or no number, at x = 1");
  CHECK(refusal([](Figure& f) { f.series[0].points[0].high = 1e101; }) ==
        "figure good, series \"measured\": a value is beyond 1e100, or no number, at x = 1");
  CHECK(refusal([](Figure& f) { f.series[0].points.resize(20'001, f.series[0].points[0]); }) ==
        "figure good: 20001 points; at most 20000 are drawn, so take fewer");
  CHECK(refusal([](Figure& f) { f.series[0].points[0].low = 0.3; }) ==
        "figure good, series \"measured\": low > high at x = 1");
  CHECK(refusal([](Figure& f) { f.series[0].points[0].low = -0.3; }) ==
        "figure good, series \"measured\": negative y on a log axis at x = 1; must be >= 0");
  CHECK(refusal([](Figure& f) {
          f.series[0].points = {{1, 0}};
        }) ==
        "figure good, series \"measured\": y = 0 on a log axis needs an upper limit > 0 in high, "
        "at x = 1");
  CHECK(refusal([](Figure& f) {
          f.x.scale = Scale::log;
          f.series[0].points[0].x = 0;
        }) == "figure good, series \"measured\": x = 0 on a log axis; must be > 0");
  CHECK(refusal([](Figure& f) {
          f.series[0].kind = Kind::line;
          f.series[0].points = {{2, 1}, {1, 1}};
        }) == "figure good, series \"measured\": x must not decrease along a line, at x = 1");
}

TEST_CASE("bad axes, markers and panels are refused", "[plot][check]") {
  CHECK(refusal([](Figure& f) { f.y.low = 0; }) ==
        "figure good, y axis: an end of a log range must be > 0");
  CHECK(refusal([](Figure& f) {
          f.x.low = 2;
          f.x.high = 2;
        }) == "figure good, x axis: needs low < high");
  CHECK(refusal([](Figure& f) {
          f.markers = {{MarkerAxis::y, 0, "zero"}};
        }) == "figure good: marker \"zero\" cannot stand at 0");
  CHECK(refusal([](Figure& f) { f.x.categories = {"only"}; }) ==
        "figure good, series \"measured\": x = 1 is no category; allowed are 0 to 0");
  CHECK(refusal([](Figure& f) { f.y.categories = {"only"}; }) ==
        "figure good: only the x axis may have categories");
  CHECK(refusal([](Figure& f) { f.ratio.emplace(); }) ==
        "figure good: its ratio panel has no series");
  CHECK(refusal([](Figure& f) {
          f.x.categories = {"zero", "one"};
          f.ratio.emplace().series = f.series;
        }) == "figure good: a ratio panel cannot stand below categories");
  CHECK(refusal([](Figure& f) { f.series[0].panel = 1; }) ==
        "figure good: something is in a panel that the figure does not have; it has 1");
}

TEST_CASE("small panels that cannot be read are refused", "[plot][check]") {
  const auto in_panels = [](std::size_t count, Figure& f) {
    const Series series = f.series[0];
    f.series.assign(count, series);
    for (std::size_t i = 0; i < count; ++i) f.series[i].panel = i;
    f.panels.assign(count, "title");
  };
  CHECK(refusal([&](Figure& f) { in_panels(9, f); }) == "accepted");
  CHECK(refusal([&](Figure& f) { in_panels(10, f); }) ==
        "figure good: 10 small panels; allowed are 9");
  CHECK(refusal([&](Figure& f) {
          in_panels(3, f);
          f.ratio.emplace().series = {f.series[0]};
        }) == "figure good: small panels have no residual panel; leave one of both out");
  CHECK(refusal([&](Figure& f) {
          in_panels(3, f);
          f.x.categories = {"zero", "one"};
        }) == "figure good: small panels cannot have categories");
  CHECK(refusal([&](Figure& f) {
          in_panels(3, f);
          f.series[2].panel = 0;
        }) == "figure good: a small panel has no series");
  CHECK(refusal([&](Figure& f) {
          in_panels(2, f);
          for (Series& series : f.series) {
            series.role = Role::reference;
            series.name += std::to_string(series.panel);
          }
        }) ==
        "figure good: small panels have one reference, found several: grey lines look alike in "
        "a legend");
}
