// Texts of figures: none touches another or leaves the picture, whichever of the usual fonts draws
// them, and no series goes without its name.
#include "analysis/plot/layout.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/plot/gnuplot.hpp"
#include "analysis/plot/text.hpp"
#include "folder.hpp"
#include "samples.hpp"
#include "svg_texts.hpp"
#include "tests/paths.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis::plot;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> faults_of(const Figure& figure) {
  const Folder folder;
  return text_faults(read_text(draw(figure, folder.path())));
}

std::vector<std::string> known_faults(const std::string& name) {
  const fs::path folder = fs::path(BLOOMLAB_SOURCE_DIR) / "tests/plot/known_faults";
  return text_faults(read_text(folder / (name + ".svg")));
}

bool has(const std::vector<std::string>& faults, const std::string& fault) {
  return std::find(faults.begin(), faults.end(), fault) != faults.end();
}

/// `count` flat curves that end as near to each other as `apart` says.
Figure flat_curves(int count, double apart) {
  Figure figure{.name = "flat", .title = "Flat", .caption = "", .x = {}, .y = {}, .series = {}};
  for (int i = 0; i < count; ++i) {
    const double y = 1 + apart * i;
    figure.series.push_back({"exact",
                             Kind::line,
                             Role::theory,
                             {{0, y, y, y}, {1, y, y, y}},
                             "curve " + std::string(1 + static_cast<std::size_t>(i) / 26,
                                                    static_cast<char>('a' + i % 26))});
  }
  return figure;
}

}  // namespace

TEST_CASE("the faults of two older figures are found", "[plot][layout]") {
  // As they stood in the results of commit 9e38cd8, without their curves.
  const auto speed = known_faults("external_peers_by_size");
  CHECK(has(speed, "\"split_block\" is drawn but not named"));
  CHECK(has(speed, "\"boost_bloom_multiblock32_bulk\" is drawn but not named"));
  const auto growth = known_faults("scalable_fair");
  CHECK(has(growth,
            "\"plain, as many bits as: scalable, growth 4, tightening 0.5\" covers a symbol"));
}

TEST_CASE("no text touches another or leaves the picture, and every series is named",
          "[plot][layout]") {
  for (const Figure& figure : plot_samples::all()) {
    CAPTURE(figure.name);
    CHECK(faults_of(figure) == std::vector<std::string>{});
  }
}

TEST_CASE("as many names as curves stand at their ends, however near these are", "[plot][layout]") {
  for (const int count : {9, 13, 20, 31, 40}) {
    for (const double apart : {0.0, 1e-4, 1.0}) {
      CAPTURE(count, apart);
      const Figure figure = flat_curves(count, apart);
      const Layout layout = lay_out(figure);
      CHECK(layout.end_labels.size() == static_cast<std::size_t>(count));
      CHECK(faults_of(figure) == std::vector<std::string>{});
    }
  }
}

TEST_CASE("the line to a name begins at the end of its own curve", "[plot][layout]") {
  const Figure figure = flat_curves(13, 0.01);
  const Layout layout = lay_out(figure);
  const Panel& panel = layout.panels[0].panel;
  REQUIRE(layout.end_labels.size() == figure.series.size());
  for (const EndLabel& label : layout.end_labels) {
    const auto own = std::find_if(figure.series.begin(), figure.series.end(),
                                  [&](const Series& one) { return one.group == label.text; });
    REQUIRE(own != figure.series.end());
    const Pixel end = panel.pixel(own->points.back().x, own->points.back().y);
    CHECK(label.from.down == Approx(end.down));
    CHECK(label.from.across == Approx(end.across).margin(3));
    CHECK(label.colour == layout.styles.of(*own).colour);
  }
}

TEST_CASE("more curves than names are said to be so", "[plot][layout]") {
  Figure figure = flat_curves(0, 0);
  for (int i = 0; i < 90; ++i) {
    const double y = i;
    figure.series.push_back({"exact",
                             Kind::line,
                             Role::theory,
                             {{0, y, y, y}, {1, y, y, y}},
                             "k = " + std::to_string(i)});
  }
  const Layout layout = lay_out(figure);
  CHECK(layout.end_labels.size() == most_ends);
  CHECK(layout.end_labels.front().text == "k = 89");
  CHECK(layout.end_labels.back().text == "k = 0");
  CHECK(std::any_of(layout.legend.begin(), layout.legend.end(),
                    [](const LegendEntry& entry) { return entry.text == Words{}.unnamed; }));
}

TEST_CASE("points on one spot have their names side by side", "[plot][layout]") {
  Figure figure{.name = "spot", .title = "Spot", .caption = "", .x = {}, .y = {}, .series = {}};
  for (int i = 0; i < 20; ++i) {
    figure.series.push_back(
        {"a filter of the name " + std::to_string(i), Kind::points, Role::measured, {{1, 1}}});
  }
  CHECK(lay_out(figure).styles.naming == Naming::points);
  CHECK(faults_of(figure) == std::vector<std::string>{});
}

TEST_CASE("a name longer than the picture is broken in the legend", "[plot][layout]") {
  Figure figure = plot_samples::rate_by_fill();
  for (Series& series : figure.series) {
    for (int i = 0; i < 12; ++i) series.group += ", another axis = " + std::to_string(i);
  }
  const Layout layout = lay_out(figure);
  CHECK(layout.legend[0].lines.size() > 1);
  const Folder folder;
  for (const std::string& fault : text_faults(read_text(draw(figure, folder.path())))) {
    CHECK(fault.find("not named") != std::string::npos);  // broken names are not looked for
  }
}

TEST_CASE("small panels share their ends, their numbers, a legend and the labels of axes",
          "[plot][layout]") {
  for (const int count : {3, 6}) {
    CAPTURE(count);
    const Figure figure = plot_samples::small_panels(count);
    const Layout layout = lay_out(figure);
    REQUIRE(layout.panels.size() == static_cast<std::size_t>(count));
    const PanelLayout& first = layout.panels[0];
    for (std::size_t i = 0; i < layout.panels.size(); ++i) {
      CAPTURE(i);
      const PanelLayout& part = layout.panels[i];
      CHECK(part.panel.x.low == first.panel.x.low);
      CHECK(part.panel.x.high == first.panel.x.high);
      CHECK(part.panel.y.low == first.panel.y.low);
      CHECK(part.panel.y.high == first.panel.y.high);
      CHECK(part.numbered_up == (i % 3 == 0));
      CHECK(part.numbered_across == (i + 3 >= layout.panels.size()));
      const auto titles =
          std::count_if(layout.lines.begin(), layout.lines.end(), [&](const TextLine& line) {
            return line.text == figure.panels[i] && line.at.across == part.panel.box.left &&
                   line.at.down < part.panel.box.top;
          });
      CHECK(titles == 1);
      CHECK(part.panel.box.top == layout.panels[i / 3 * 3].panel.box.top);
    }
    CHECK(layout.end_labels.empty());
    // Two groups, the measurement, the line, no hit.
    CHECK(layout.legend.size() == 4);  // two groups, the measurement, the line
  }
}

TEST_CASE("small panels of own scale have their own ends of y and numbers each", "[plot][layout]") {
  const Layout layout = lay_out(plot_samples::small_panels_of_own_scale());
  REQUIRE(layout.panels.size() == 6);
  CHECK(layout.panels[0].panel.y.low > 10 * layout.panels[5].panel.y.low);
  CHECK(layout.panels[0].panel.x.low == layout.panels[5].panel.x.low);
  for (const PanelLayout& part : layout.panels) CHECK(part.numbered_up);
}

TEST_CASE("many groups of small panels stand in the legend, not at the ends of curves",
          "[plot][layout]") {
  Figure figure = plot_samples::small_panels(5);
  for (Series& series : figure.series) series.group += series.panel % 2 == 0 ? " a" : " b";
  for (Series& series : figure.series) series.group += std::to_string(series.panel);
  const Layout layout = lay_out(figure);
  CHECK(layout.styles.keys.size() == 10);
  CHECK(layout.legend.size() == 12);
}

TEST_CASE("a small panel has room for the last number of its axis", "[plot][layout]") {
  Figure figure = plot_samples::small_panels(3);
  figure.x.scale = Scale::log;
  for (Series& series : figure.series) {
    for (Point& point : series.points) point.x *= 62500;
  }
  const Layout layout = lay_out(figure);
  for (const PanelLayout& part : layout.panels) {
    REQUIRE(part.across.major.size() == 2);
    CHECK(part.across.major[0].label == power_label(1e5));
    CHECK(part.across.major[1].label == power_label(1e6));
  }
}

TEST_CASE("a small panel draws its own series and markers and no other's", "[plot][layout]") {
  Figure figure = plot_samples::small_panels(3);
  std::erase_if(figure.markers, [](const Marker& marker) { return marker.panel != 1; });
  const Folder folder;
  const std::string svg = read_text(draw(figure, folder.path()));
  const auto count = [&](const std::string& part) {
    std::size_t found = 0;
    for (auto at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(count(">target 1 %<") == 1);
  CHECK(count("<title>standard, exact rate</title>") == 3);
  CHECK(count(">m/n = 4<") == 1);
  CHECK(count(">m/n = 12<") == 1);
  CHECK(count(">probes per key k<") == 1);
}

TEST_CASE("every committed figure is legible", "[plot][results]") {
  for (const auto& entry :
       fs::directory_iterator(fs::path(BLOOMLAB_SOURCE_DIR) / "results/figures")) {
    CAPTURE(entry.path().filename().string());
    CHECK(text_faults(read_text(entry.path())) == std::vector<std::string>{});
  }
}
