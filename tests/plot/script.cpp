// The script of every form of figure against an approved one. After a wanted change of the style,
// look at the figures, then copy the received file over the approved one.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "analysis/plot/gnuplot.hpp"
#include "samples.hpp"
#include "tests/paths.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis::plot;
namespace fs = std::filesystem;

namespace {

/// The first line in which the texts differ, from both; empty where they are equal.
std::string first_difference(const std::string& received, const std::string& approved) {
  std::istringstream ours(received);
  std::istringstream theirs(approved);
  for (int number = 1; ours || theirs; ++number) {
    std::string our;
    std::string their;
    std::getline(ours, our);
    std::getline(theirs, their);
    if (our == their) continue;
    return "line " + std::to_string(number) + "\nreceived: " + our + "\napproved: " + their;
  }
  return received == approved ? "" : "different line ends";
}

void check_approved(const Figure& figure) {
  const std::string received = gnuplot_script(figure);
  const fs::path approved =
      fs::path(BLOOMLAB_SOURCE_DIR) / "tests/plot/approved" / (figure.name + ".gp");
  const fs::path copy = fs::path(BLOOMLAB_BINARY_DIR) / "plot_received" / (figure.name + ".gp");
  const std::string difference = first_difference(received, read_text(approved));
  if (!difference.empty()) {
    fs::create_directories(copy.parent_path());
    std::ofstream(copy, std::ios::binary) << received;
  }
  INFO("approved: " << approved << ", received: " << copy);
  CHECK(difference == "");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("scripts are the approved ones", "[plot][script]") {
  check_approved(plot_samples::rate_by_k());
  check_approved(plot_samples::rate_by_m());
  check_approved(plot_samples::growth());
  check_approved(plot_samples::by_category());
  check_approved(plot_samples::labelled_points());
  check_approved(plot_samples::difficult_text());
}

TEST_CASE("a script is the same every time", "[plot][script]") {
  for (const Figure& figure : plot_samples::all()) {
    CHECK(gnuplot_script(figure) == gnuplot_script(figure));
  }
}

TEST_CASE("every no hit of a figure has its arrow", "[plot][script]") {
  Figure figure = plot_samples::rate_by_m();
  CHECK(count(gnuplot_script(figure), "head empty") == 2);  // one vector plot, one in the legend
  for (Series& series : figure.series) {
    std::erase_if(series.points, [](const Point& point) { return point.y == 0; });
  }
  CHECK(count(gnuplot_script(figure), "head empty") == 0);
}

TEST_CASE("a marker of x goes on through the ratio panel, one of y does not", "[plot][script]") {
  Figure figure = plot_samples::rate_by_k();
  const std::string dashes = "dt (7,5)";
  figure.markers = {{MarkerAxis::x, 11, "best"}};
  CHECK(count(gnuplot_script(figure), dashes) == 2);
  figure.markers = {{MarkerAxis::y, 0.01, "target"}};
  CHECK(count(gnuplot_script(figure), dashes) == 1);
}

TEST_CASE("groups part in a category only where they would hide each other", "[plot][script]") {
  Figure figure;
  figure.name = "two_groups";
  figure.title = "Two groups";
  figure.x = {.label = "structure"};
  figure.x.categories = {"first", "second"};
  figure.y = {.label = "time", .low = 0, .high = 100};
  figure.series = {{"one", Kind::points, Role::measured, {{0, 20}, {1, 20}}, "one"},
                   {"two", Kind::points, Role::measured, {{0, 80}, {1, 80}}, "two"}};
  const std::string apart = gnuplot_script(figure);
  CHECK(count(apart, "\n20 0 ") == 1);
  CHECK(count(apart, "\n80 1 ") == 1);
  figure.series[1].points[1].y = 20.5;
  const std::string together = gnuplot_script(figure);
  CHECK(count(together, "\n20 0 ") == 0);
  CHECK(count(together, "\n80 0 ") == 0);
  figure.series[1].points[1] = {1, 60, 15, 95};
  CHECK(count(gnuplot_script(figure), "\n20 0 ") == 0);  // an interval hides a point as well
}

TEST_CASE("a figure that cannot be drawn gives no script", "[plot][script]") {
  CHECK_THROWS_AS(gnuplot_script(Figure{}), std::invalid_argument);
}
