#include "analysis/plot/panel.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/labels.hpp"
#include "analysis/plot/layout.hpp"
#include "analysis/plot/text.hpp"
#include "samples.hpp"

using namespace bloomlab::analysis::plot;

namespace {

Panel log_panel() {
  return {{100, 50, 400, 300}, {0, 10, Scale::linear}, {1e-6, 1, Scale::log}, false};
}

Series points(std::vector<Point> values) {
  return {"measured", Kind::points, Role::measured, std::move(values)};
}

}  // namespace

TEST_CASE("a panel maps its corners to its rectangle", "[plot][panel]") {
  const Panel panel = log_panel();
  CHECK(panel.pixel(0, 1e-6).across == Approx(100));
  CHECK(panel.pixel(0, 1e-6).down == Approx(350));
  CHECK(panel.pixel(10, 1).across == Approx(500));
  CHECK(panel.pixel(10, 1).down == Approx(50));
  CHECK(panel.pixel(5, 1e-3).down == Approx(200));
  CHECK(panel.y_less_by(1, 50) == Approx(0.1));
}

TEST_CASE("a lying panel has categories from top to bottom", "[plot][panel]") {
  const Panel panel{{100, 50, 400, 300}, {-0.5, 2.5, Scale::linear}, {0, 1, Scale::linear}, true};
  CHECK(panel.pixel(0, 0).across == Approx(100));
  CHECK(panel.pixel(0, 0).down == Approx(100));
  CHECK(panel.pixel(2, 1).across == Approx(500));
  CHECK(panel.pixel(2, 1).down == Approx(300));
}

TEST_CASE("no hit on a log axis hangs from its upper limit", "[plot][panel]") {
  const Panel panel = log_panel();
  CHECK(panel.fate({1, 0, 0, 1e-4}) == Fate::no_hit);
  CHECK(panel.fate({1, 0, 0, 1e-8}) == Fate::below);
  const PointRows rows = point_rows(panel, points({{1, 0, 0, 1e-4}}), 0);
  CHECK(rows.inside.empty());
  CHECK(rows.outside.empty());
  REQUIRE(rows.limit.size() == 1);
  REQUIRE(rows.arrow.size() == 1);
  // From (1, 1e-4) straight down by 20 of the 50 pixels of a decade.
  CHECK(rows.arrow[0] == "1 0.0001 0 -6.01892829e-05");
  CHECK(rows.limit[0] == "0.875 0.0001 0.25 0");
}

TEST_CASE("zero on a linear axis is a point like any other", "[plot][panel]") {
  Panel panel = log_panel();
  panel.y = {0, 1, Scale::linear};
  CHECK(panel.fate({1, 0, 0, 0.1}) == Fate::inside);
}

TEST_CASE("points that leave the panel stand at the edge they left by", "[plot][panel]") {
  const Panel panel = log_panel();
  CHECK(panel.fate({1, 2}) == Fate::above);
  CHECK(panel.fate({1, 1e-7}) == Fate::below);
  CHECK(panel.fate({11, 0.5}) == Fate::hidden);
  const PointRows rows = point_rows(panel, points({{1, 2}, {2, 1e-7}, {11, 0.5}}), 0);
  CHECK(rows.inside.empty());
  CHECK(rows.outside.size() == 2);
}

TEST_CASE("the arrow of a point outside is as long as its interval reaches in", "[plot][panel]") {
  const Panel panel = log_panel();  // a decade is 50 pixels, from 1e-6 to 1
  const PointRows rows =
      point_rows(panel, points({{1, 2, 1e-2, 3}, {1, 1e-7, 1e-9, 1e-3}, {1, 2, 1.5, 3}}), 0);
  REQUIRE(rows.outside.size() == 3);
  CHECK(rows.outside[0] == "1 0.01 0 0.99");
  CHECK(rows.outside[1] == "1 0.001 0 -0.000999");
  CHECK(rows.outside[2].substr(0, 7) == "1 0.660");  // the head alone: 10^(-9/50)
}

TEST_CASE("intervals are cut at the panel's ends, where a log axis has no zero", "[plot][panel]") {
  const PointRows rows = point_rows(log_panel(), points({{1, 0.5, 0, 2}}), 0);
  REQUIRE(rows.inside.size() == 1);
  CHECK(rows.inside[0] == "1 0.5 1e-06 1");
}

TEST_CASE("a line has a gap where a log axis has no place for it", "[plot][panel]") {
  const Series line{"theory", Kind::line, Role::theory, {{1, 0.1}, {2, 0}, {3, 0.1}}};
  CHECK(line_rows(log_panel(), line) == std::vector<std::string>{"1 0.1", "", "3 0.1"});
}

TEST_CASE("the range of y ignores theory far below every measurement", "[plot][panel]") {
  Figure figure;
  figure.y.scale = Scale::log;
  figure.series = {points({{1, 0.1, 0.05, 0.2}, {2, 0, 0, 1e-4}}),
                   {"theory", Kind::line, Role::theory, {{1, 0.1}, {2, 1e-30}}}};
  const View view = y_view(figure);
  CHECK(view.low == Approx(2e-5));
  CHECK(view.high == Approx(0.5));
}

TEST_CASE("the ratio panel's width holds the bulk, not the stray", "[plot][panel]") {
  RatioPanel panel;
  panel.series = {points({})};
  for (int i = 0; i < 19; ++i) panel.series[0].points.push_back({1.0 * i, 1.01, 0.99, 1.03});
  panel.series[0].points.push_back({20, 9});
  CHECK(ratio_view(panel).high == Approx(1.05));
  CHECK(ratio_view(panel).low == Approx(0.95));
}

TEST_CASE("the legend explains arrows only where there are some", "[plot][legend]") {
  const auto texts = [](const Figure& figure) {
    const Panel panel{{0, 0, 100, 100}, x_view(figure), y_view(figure), false};
    std::vector<std::string> result;
    for (const LegendEntry& entry : legend_entries(figure, assign_styles(figure), {panel})) {
      result.push_back(entry.text);
    }
    return result;
  };
  Figure figure;
  figure.y.scale = Scale::log;
  figure.series = {points({{1, 0.1, 0.05, 0.2}, {2, 0.01}})};
  CHECK(texts(figure) == std::vector<std::string>{"measured"});
  figure.series[0].points.push_back({3, 0, 0, 1e-3});
  CHECK(texts(figure) == std::vector<std::string>{"measured", Words{}.no_hit});
  figure.y.low = 0.05;
  CHECK(texts(figure) == std::vector<std::string>{"measured", Words{}.outside});
}

TEST_CASE("groups are listed once and names once", "[plot][legend]") {
  const Figure figure = plot_samples::rate_by_fill();
  const Panel panel{{0, 0, 100, 100}, x_view(figure), y_view(figure), false};
  auto entries = legend_entries(figure, assign_styles(figure), {panel});
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].text == "m/n = 8");
  CHECK(entries[1].text == "m/n = 12");
  CHECK(entries[0].sample.colour != entries[1].sample.colour);
  CHECK(entries[0].sample.symbol != entries[1].sample.symbol);
  CHECK(flow_legend(entries, 20, 880) == 1);
  CHECK(flow_legend(entries, 20, 300) == 3);
}

TEST_CASE("labels of markers do not cover each other or leave the panel", "[plot][labels]") {
  const Panel panel = log_panel();
  const std::vector<Marker> markers = {{MarkerAxis::x, 5, "first opening"},
                                       {MarkerAxis::x, 5.2, "second opening"},
                                       {MarkerAxis::x, 9.9, "third opening"},
                                       {MarkerAxis::x, 12, "out of range"},
                                       {MarkerAxis::y, 0.01, "target"}};
  const auto labels = place_labels(panel, {}, markers);
  REQUIRE(labels.size() == 4);
  CHECK(labels[2].box.left < panel.pixel(9.9, 1).across);
  const Pixel first{labels[0].box.left, labels[0].box.top};
  const Pixel second{labels[1].box.left, labels[1].box.top};
  CHECK((first.down != second.down || first.across < second.across - 80 ||
         second.across < first.across - 80));
}

TEST_CASE("a point's label stands neither on a marker's line nor on a symbol", "[plot][labels]") {
  const Panel panel = log_panel();
  Series curve = points({{4, 0.01}, {5, 0.01}, {6, 0.01}});
  curve.points[1].label = "k = 4";
  const auto labels = place_labels(panel, {curve}, {{MarkerAxis::x, 5.1, ""}});
  REQUIRE(labels.size() == 1);
  const double left = labels[0].box.left;
  const double width = text_width("k = 4", style::note_size);
  const double line = panel.pixel(5.1, 1).across;
  CHECK((left > line || left + width < line));
  for (const Point& point : curve.points) {
    const Pixel symbol = panel.pixel(point.x, point.y);
    const bool beside = symbol.across + 6 < left || symbol.across - 6 > left + width;
    CHECK((beside || std::abs(labels[0].at().down - symbol.down) > 15));
  }
}

TEST_CASE("a label is anchored at the end that its point or its leader is nearest to",
          "[plot][labels]") {
  const Panel panel = log_panel();
  std::vector<Point> crowd;  // right of the point, and around it
  for (double x = 5; x < 10; x += 0.05) crowd.push_back({x, 0.01});
  Series all = points(crowd);
  for (const double y : {0.004, 0.006, 0.008, 0.012, 0.016, 0.022}) {
    for (const Point& point : crowd) all.points.push_back({point.x, y});
  }
  all.points.front().label = "a crowded point";
  const auto labels = place_labels(panel, {all}, {});
  REQUIRE(labels.size() == 1);
  CHECK(labels[0].anchor == Anchor::right);
  CHECK(labels[0].at().across == labels[0].box.right());

  Series row = points({{5, 0.01}});
  for (double x = 1; x < 10; x += 0.05) row.points.push_back({x, 0.0101});
  for (const double y : {0.005, 0.006, 0.008, 0.012, 0.016, 0.02}) {
    for (double x = 1; x < 10; x += 0.05) row.points.push_back({x, y});
  }
  row.points.front().label = "above or below";
  const auto far = place_labels(panel, {row}, {});
  REQUIRE(far.size() == 1);
  REQUIRE(far[0].leader);
  const Pixel end = far[0].leader->to;
  const Box& box = far[0].box;
  if (far[0].anchor == Anchor::middle) {
    CHECK(std::abs(end.across - far[0].at().across) <= 0.4 * box.width);
    CHECK((end.down < box.top || end.down > box.bottom()));
  } else {
    CHECK(std::abs(end.across - far[0].at().across) == 3);
    CHECK(end.down == far[0].at().down);
  }
}

TEST_CASE("labels on one line have the space of a word between them", "[plot][labels]") {
  const Panel panel = log_panel();
  for (double x = 7.8; x < 8.8; x += 0.01) {  // right of it a label, left of the other point too
    Series pair = points({{x, 0.01}, {9.9, 0.01}});
    pair.points[0].label = "0.9";
    pair.points[1].label = "0.5";
    const auto labels = place_labels(panel, {pair}, {});
    REQUIRE(labels.size() == 2);
    const Box& one = labels[0].box;
    const Box& other = labels[1].box;
    const bool one_line = one.top <= other.bottom() && other.top <= one.bottom();
    const double between = std::max(other.left - one.right(), one.left - other.right());
    CHECK((one_line ? between : 5.0) >= 5.0);
  }
}

TEST_CASE("the label of a marker of y does not stand on a symbol", "[plot][labels]") {
  const Panel panel = log_panel();
  const auto free = place_labels(panel, {}, {{MarkerAxis::y, 0.01, "target"}});
  REQUIRE(free.size() == 1);
  const double x = panel.x.value((free[0].box.left + 10 - panel.box.left) / panel.box.width);
  const auto moved = place_labels(panel, {points({{x, 0.01}})}, {{MarkerAxis::y, 0.01, "target"}});
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].box.left != free[0].box.left);
}

TEST_CASE("labels at the ends of curves are moved apart, and stay in their order",
          "[plot][legend]") {
  Figure figure;
  figure.palette = Palette::sequential;
  const Panel panel = log_panel();
  for (const double y : {0.1, 0.0101, 0.0099, 0.00985, 0.001}) {
    const std::string group = "y = " + std::to_string(y);
    figure.series.push_back(
        {"exact", Kind::line, Role::theory, {{panel.x.low, y}, {panel.x.high, y}}, group});
  }
  const auto labels = end_labels(figure, assign_styles(figure), panel);
  REQUIRE(labels.size() == 5);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    CHECK(labels[i].text == figure.series[i].group);
    if (i > 0) CHECK(labels[i].at.down - labels[i - 1].at.down > style::note_size);
  }
  CHECK(labels[0].at.down == Approx(labels[0].from.down));  // nothing is near it
  CHECK(labels[2].at.down == Approx(panel.pixel(1, 0.0099).down).margin(1));
}
