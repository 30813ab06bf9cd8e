#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/plot/gnuplot.hpp"
#include "folder.hpp"
#include "record/input_error.hpp"
#include "samples.hpp"
#include "svg_texts.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis::plot;
using bloomlab::record::RunError;
namespace fs = std::filesystem;

namespace {

std::string failure(const Figure& figure, const fs::path& folder, const std::string& program) {
  try {
    draw(figure, folder, program);
  } catch (const RunError& error) {
    return error.what();
  } catch (const bloomlab::record::InputError& error) {
    return error.what();
  }
  return "drawn";
}

/// A program that stands in for gnuplot.
std::string fake_program(const fs::path& folder, const std::string& body) {
  const fs::path path = folder / "fake_gnuplot";
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

std::string xml(std::string text) {
  const std::vector<std::pair<std::string, std::string>> entities = {{"&", "&amp;"}, {"<", "&lt;"}};
  for (const auto& [from, to] : entities) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("two drawings of a figure are equal byte for byte", "[plot][draw]") {
  const Folder first;
  const Folder second;
  for (const Figure& figure : plot_samples::all()) {
    const std::string one = read_text(draw(figure, first.path()));
    const std::string other = read_text(draw(figure, second.path() / "new" / "folder"));
    CHECK(one.size() > 5000);
    CHECK(one == other);
  }
}

TEST_CASE("a number at the end of a log axis is drawn", "[plot][draw]") {
  const Folder folder;
  Figure figure;
  figure.name = "ends";
  figure.title = "Ends";
  figure.x = {.label = "x"};
  figure.series = {{"measured", Kind::points, Role::measured, {{1, 20}, {2, 400}}}};
  for (const double low : {1.0, 2.0, 5.0, 10.0, 50.0}) {
    figure.y = {.label = "y", .scale = Scale::log, .low = low, .high = 100 * low};
    for (Point& point : figure.series[0].points) point.y = 20 * low;
    const std::vector<SvgText> texts = svg_texts(read_text(draw(figure, folder.path())));
    const auto drawn = [&](const std::string& number) {
      return std::any_of(texts.begin(), texts.end(),
                         [&](const SvgText& text) { return text.text == number; });
    };
    const int least = static_cast<int>(low);
    INFO(least);
    CHECK(drawn(std::to_string(least)));
    CHECK(drawn(std::to_string(100 * least)));
  }
}

TEST_CASE("a drawing does not depend on locale, home or start-up files", "[plot][draw]") {
  const Folder folder;
  const Figure figure = plot_samples::rate_by_m();
  const std::string plain = read_text(draw(figure, folder.path()));
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/";
  std::ofstream(folder.path() / ".gnuplot")
      << "set title 'intruder'\nset label 'intruder' at 1,1\n";
  setenv("HOME", folder.path().c_str(), 1);
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  const std::string other = read_text(draw(figure, folder.path()));
  setenv("HOME", home.c_str(), 1);
  unsetenv("LC_ALL");
  CHECK(plain == other);
}

TEST_CASE("a drawing names no version and no time", "[plot][draw]") {
  const Folder folder;
  const std::string svg = read_text(draw(plot_samples::rate_by_m(), folder.path()));
  CHECK(svg.find("patchlevel") == std::string::npos);
  CHECK(svg.find("<desc>n = 100 000 keys") != std::string::npos);
  CHECK(svg.ends_with("</svg>\n\n"));
}

TEST_CASE("the name of every series and group is in the drawing", "[plot][draw]") {
  const Folder folder;
  for (const Figure& figure : plot_samples::all()) {
    const std::string svg = read_text(draw(figure, folder.path()));
    for (const Series& series : figure.series) {
      CAPTURE(figure.name, series.name, series.group);
      CHECK(svg.find(xml(series.name)) != std::string::npos);
      CHECK(svg.find(xml(series.group)) != std::string::npos);
    }
  }
}

TEST_CASE("markup in texts is printed, not obeyed", "[plot][draw]") {
  const Folder folder;
  const Figure figure = plot_samples::difficult_text();
  const std::string svg = read_text(draw(figure, folder.path()));
  const std::string title = "font-weight=\"bold\" >" + xml(figure.title) + "</tspan>";
  CHECK(svg.find(title) != std::string::npos);
  CHECK(svg.find("<tspan >每个元素的位数 m/n [бит]</tspan>") != std::string::npos);
  CHECK(svg.find("доля p_{fp} 误判率") != std::string::npos);
}

TEST_CASE("ids carry the figure's name, so that figures can share a page", "[plot][draw]") {
  const Folder folder;
  const std::string svg = read_text(draw(plot_samples::rate_by_m(), folder.path()));
  CHECK(svg.find("id='sample_rate_by_m-gpPt") != std::string::npos);
  CHECK(svg.find("id='gp") == std::string::npos);
  CHECK(svg.find("'#gp") == std::string::npos);
  CHECK(svg.find("id=\"gnuplot") == std::string::npos);
}

TEST_CASE("figures of one point or nothing but no hits are drawn", "[plot][draw]") {
  const Folder folder;
  Figure figure;
  figure.name = "small";  // no title, no labels, no caption
  for (const Scale scale : {Scale::linear, Scale::log}) {
    figure.y.scale = scale;
    for (const Point& point : {Point{5, 0.1}, Point{5, 0, 0, 1e-3}}) {
      figure.series = {{"measured", Kind::points, Role::measured, {point}}};
      CHECK(read_text(draw(figure, folder.path())).find("measured") != std::string::npos);
    }
  }
}

TEST_CASE("a missing gnuplot is named with the package to install", "[plot][draw]") {
  const Folder folder;
  const fs::path path = folder.path() / "sample_rate_by_m.svg";
  CHECK(failure(plot_samples::rate_by_m(), folder.path(), "no-such-gnuplot") ==
        path.string() +
            ": \"no-such-gnuplot\" is not in PATH; figures need gnuplot 5.4 or later: install the "
            "package gnuplot-nox");
  CHECK(folder.files() == 0);
}

TEST_CASE("a gnuplot that fails is quoted on one line and leaves no figure", "[plot][draw]") {
  const Folder folder;
  const Folder out;
  const std::string program =
      fake_program(folder.path(), "echo '   ^' >&2; echo 'line 3: bad thing' >&2; exit 3");
  const fs::path path = out.path() / "sample_rate_by_m.svg";
  CHECK(failure(plot_samples::rate_by_m(), out.path(), program) ==
        path.string() + ": \"" + program +
            "\" ended with status 3 and no complete figure: ^ line 3: bad thing; figures need "
            "gnuplot 5.4 or later with the SVG terminal");
  CHECK(out.files() == 0);
}

TEST_CASE("half a figure is no figure", "[plot][draw]") {
  const Folder folder;
  const Folder out;
  const std::string program = fake_program(folder.path(), "echo '<svg><g>'; exit 0");
  CHECK(failure(plot_samples::rate_by_m(), out.path(), program)
            .find("status 0 and no complete "
                  "figure: no message") != std::string::npos);
  CHECK(out.files() == 0);
}

TEST_CASE("a folder that cannot be written is named", "[plot][draw]") {
  const Folder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  const fs::path path = folder.path() / "file" / "sample_rate_by_m.svg";
  const std::string message = failure(plot_samples::rate_by_m(), folder.path() / "file", "gnuplot");
  CHECK(message == path.string() +
                       ": cannot be written: Not a directory; check that the folder exists, is "
                       "yours to write, and has room");
}

TEST_CASE("a drawing replaces neither a pipe nor a link", "[plot][draw]") {
  const Folder folder;
  const fs::path path = folder.path() / "sample_rate_by_m.svg";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(failure(plot_samples::rate_by_m(), folder.path(), "gnuplot") ==
        path.string() +
            ": is no regular file; only one is written over; check that the folder exists, is "
            "yours to write, and has room");
  CHECK(fs::is_fifo(path));
  fs::remove(path);
  fs::create_symlink("kept.svg", path);
  static_cast<void>(draw(plot_samples::rate_by_m(), folder.path()));
  CHECK(fs::is_symlink(path));
  CHECK(read_text(folder.path() / "kept.svg").ends_with("</svg>\n\n"));
}
