#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>

#include "analysis/plot/figure.hpp"

using namespace bloomlab::analysis::plot;

namespace {

Figure with_groups(int count) {
  Figure figure;
  for (int i = 0; i < count; ++i) {
    const std::string group = "group " + std::to_string(i);
    figure.series.push_back({"measured", Kind::points, Role::measured, {{1, 1}}, group});
    figure.series.push_back({"theory", Kind::line, Role::theory, {{1, 1}}, group});
  }
  return figure;
}

}  // namespace

TEST_CASE("a measurement and its theory have one colour, groups have their own", "[plot][style]") {
  const Figure figure = with_groups(7);
  const Styles styles = assign_styles(figure);
  CHECK_FALSE(styles.sequential);
  std::set<std::string> colours;
  std::set<int> symbols;
  for (std::size_t i = 0; i < figure.series.size(); i += 2) {
    CHECK(&styles.of(figure.series[i]) == &styles.of(figure.series[i + 1]));
    colours.insert(styles.of(figure.series[i]).colour);
    symbols.insert(styles.of(figure.series[i]).symbol);
  }
  CHECK(colours.size() == 7);
  CHECK(symbols.size() == 6);
}

TEST_CASE("more than seven groups that differ by a number are coloured in sequence",
          "[plot][style]") {
  CHECK(assign_styles(with_groups(8)).sequential);
  Figure figure = with_groups(3);
  figure.palette = Palette::sequential;
  const Styles styles = assign_styles(figure);
  CHECK(styles.sequential);
  CHECK(styles.of(figure.series.front()).colour == "#440154");
  CHECK(styles.of(figure.series.back()).colour == "#7ad151");
}

TEST_CASE("many groups without an order each have their own colour and filled symbol",
          "[plot][style]") {
  Figure figure = with_groups(26);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    figure.series[i].group = std::string(1, static_cast<char>('a' + i / 2));
  }
  const Styles styles = assign_styles(figure);
  CHECK_FALSE(styles.sequential);
  std::set<std::pair<std::string, int>> looks;
  for (const std::string& key : styles.keys) {
    looks.insert({styles.by_key.at(key).colour, styles.by_key.at(key).symbol});
  }
  CHECK(looks.size() == 26);
  CHECK(styles.naming == Naming::ends);
}

TEST_CASE("few groups are named in the legend, points without curves beside themselves",
          "[plot][style]") {
  Figure figure = with_groups(8);
  figure.palette = Palette::categorical;
  CHECK(assign_styles(figure).naming == Naming::legend);
  std::erase_if(figure.series, [](const Series& one) { return one.kind == Kind::line; });
  CHECK(assign_styles(figure).naming == Naming::points);
  figure.series[0].joined = true;
  CHECK(assign_styles(figure).naming == Naming::legend);
}

TEST_CASE("what is set open has no filling", "[plot][style]") {
  Series series{"measured", Kind::points, Role::measured, {{1, 1}}};
  CHECK(is_filled(series));
  series.open = true;
  CHECK_FALSE(is_filled(series));
}

TEST_CASE("the sequential palette grows lighter", "[plot][style]") {
  const auto luminance = [](const std::string& colour) {
    const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  };
  for (double fraction = 0; fraction < 0.99; fraction += 0.05) {
    CHECK(luminance(sequential_colour(fraction)) < luminance(sequential_colour(fraction + 0.05)));
  }
}

TEST_CASE("a reference without a group is grey and takes no colour away", "[plot][style]") {
  Figure figure = with_groups(1);
  figure.series.insert(figure.series.begin(), {"bound", Kind::line, Role::reference, {{1, 1}}});
  const Styles styles = assign_styles(figure);
  CHECK(styles.of(figure.series[0]).colour == style::reference_grey);
  CHECK(styles.of(figure.series[1]).colour == "#0072b2");
}

TEST_CASE("lines without symbols differ in their dashes", "[plot][style]") {
  Figure figure;
  for (const char* name : {"a", "b", "c"}) {
    figure.series.push_back({name, Kind::step, Role::measured, {{1, 1}}});
  }
  const Styles styles = assign_styles(figure);
  std::set<std::string> dashes;
  for (const Series& series : figure.series) dashes.insert(line_dash(series, styles.of(series)));
  CHECK(dashes.size() == 3);
}

TEST_CASE("a measured line differs from the theory of its group", "[plot][style]") {
  Figure figure;
  figure.series = {{"measured", Kind::step, Role::measured, {{1, 1}}, "scalable"},
                   {"expected", Kind::line, Role::theory, {{1, 1}}, "scalable"}};
  const Styles styles = assign_styles(figure);
  CHECK(line_dash(figure.series[0], styles.of(figure.series[0])) !=
        line_dash(figure.series[1], styles.of(figure.series[1])));
}
