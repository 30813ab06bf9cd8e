// Result files and pages of somebody else, with the right checksum and any value in any place: each
// costs at most itself.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>

#include "analysis/report/report.hpp"
#include "record/json.hpp"
#include "record/sha256.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"
#include "tests/paths.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis;
using bloomlab::record::Json;

namespace {

namespace fs = std::filesystem;

/// As the program would have written it: with the checksum of the cells that are there.
void write_as_result(const fs::path& path, Json json) {
  std::string lines;
  if (json["cells"].is_array()) {
    for (const Json& cell : json["cells"]) lines += (lines.empty() ? "" : ",\n") + cell.dump();
  }
  json["checksum"] = bloomlab::record::sha256_hex(lines);
  std::ofstream(path) << json.dump();
}

/// Every value that holds no other, and every list and object.
void places_in(const Json& json, const Json::json_pointer& at,
               std::vector<Json::json_pointer>& places) {
  places.push_back(at);
  if (json.is_object()) {
    for (const auto& [name, member] : json.items()) places_in(member, at / name, places);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) places_in(json[i], at / i, places);
  }
}

const std::vector<Json>& strange_values() {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           "seven",
                                           "",
                                           -1,
                                           0,
                                           1e300,
                                           0.5,
                                           std::uint64_t{1} << 63U,
                                           Json::array(),
                                           Json::object(),
                                           Json::array({Json::array({1})}),
                                           Json{{"a", "b"}},
                                           "\u0001s\u0002\u001b[31m<script>alert(1)</script>",
                                           std::string(3000, '|'),
                                           "../../../etc"};
  return values;
}

/// The report of a folder with this file and a good one: the good one's section is there, and what
/// was wrong is said in the words of this program.
void check_report(const fs::path& folder) {
  const ReportOutcome outcome = write_report({.results = folder,
                                              .report = folder / "out",
                                              .figures = folder / "out/figures",
                                              .pages = folder / "out/pages",
                                              .csv = folder / "out/csv",
                                              .sqlite = folder / "out/all.sqlite"});
  const std::string report = read_text(outcome.report_file);
  CHECK_THAT(report, Catch::Contains("A synthetic sweep"));
  CHECK_THAT(read_text(outcome.page_file), !Catch::Contains("<script>alert"));
  for (const std::string& fault : outcome.faults) {
    INFO(fault);
    CHECK(fault.find("json.exception") == std::string::npos);
    CHECK(fault.find("strange.json") != std::string::npos);
    CHECK(fault.find_first_of("\n\x1b\x01") == std::string::npos);
  }
}

// A page of somebody else. Behind the list: what each may cost, and what must not happen.
const std::string million =
    "with recursive c(i) as (select 1 union all select i + 1 from c where i < 1000000) ";

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string block(const std::string& head, const std::string& text) {
  return "```" + head + "\n" + text + "\n```\n";
}

/// A page with one table, and a figure of it with these settings.
std::string drawn(const std::string& sql, const std::string& settings) {
  return block("sql table t", sql) + block("figure t", "query: t\nx: x\ny: y\n" + settings);
}

std::string many_figures(int count) {
  std::string page = block("sql table t", "select 1 as x, 2 as y");
  for (int i = 0; i < count; ++i) {
    page += block("figure f" + std::to_string(i), "query: t\nx: x\ny: y\n");
  }
  return page;
}

std::vector<std::string> hostile_pages(const std::string& outside) {
  const std::string command = "\"; system 'touch " + outside + "'; \"`touch " + outside + "`";
  return {
      // Scripts, links and pictures from elsewhere.
      "<script>alert(1)</script>",
      "[a](javascript:alert&#40;1&#41;) [b](data:text/html,<script>alert(1)</script>)",
      "![a](http://example.invalid/a.png) ![b](file:///etc/passwd) <img src=x onerror=alert(1)>",
      "<svg onload=alert(1)> <iframe src=//example.invalid></iframe> <style>*{color:red}</style>",
      block("sql values", "select '<script>alert(1)</script>' as a") + "{{a}}",
      block("sql table t", "select '<script>alert(1)</script>' as \"<script>alert(1)</script>\""),
      "$<script>alert(1)</script>$ and $$\\href{javascript:alert}{a}$$",
      // Markdown that is slow or deep for some readers.
      times(50'000, "["), times(50'000, "> "), times(50'000, "*a **b "), times(20'000, "`a``b"),
      times(5'000, "- \n  "), times(3'000, "<a "), times(30'000, "![["), times(10'000, "$"),
      times(20'000, "| a "), times(200'000, "&lt;"), times(100, "```sql table t\nselect 1\n"),
      // Parts that are not what they say.
      "```sql values\nselect 1 as a", block("sql table ../../../t", "select 1 as a"),
      block("sql table t", "select 1 as a") + block("sql table t", "select 2 as a"),
      block("figure ../../t", "query: cells\nx: n\ny: fpr"),
      times(2'000, block("sql table t", "select 1 as a")), "{{a}} {{table:b}} {{figure:c}} {{{{",
      block("sql values", "select '{{b}}' as a, '{{a}}' as b") + "{{a}}",
      block("sql values", "select printf('%.*c', 200000, 'x') as a") + times(2'000, "{{a}} "),
      block("sql values", "select printf('%.*c', 200000, 'x') as a") +
          drawn("select 1 as x, 2 as y", "caption: " + times(2'000, "{{a}} ")),
      std::string("a\0b\x1b[31m\xe2\x80\xae", 11), "\xef\xbb\xbf---\r\n---\r\n---\r\n",
      block("words", "a = b = c\n= d\ne ="),
      // Queries.
      block("sql table t", million + "select i from c"),
      block("sql table t", "select " + times(1'999, "1,") + "1"),
      block("sql table t", "select " + times(20'000, "(") + "1" + times(20'000, ")")),
      block("sql table t", "select 1; drop table cells"), block("sql table t", "pragma temp_store"),
      block("sql table t", "attach '" + outside + "' as o"),
      block("sql table t", "vacuum into '" + outside + "'"),
      block("sql table t", "select writefile('" + outside + "', 'a'), readfile('/etc/passwd')"),
      block("sql table t", "select load_extension('" + outside + "')"),
      block("sql table t", million + "select median_low(i) from c"),
      block("sql table t", "select false_loop(20000, 1, 20000) from cells a, cells b, cells c"),
      block("sql table t", "select solve('false_loop', 'hops', .01, 32768, 7) as x"),
      block("sql table t", "select binomial_coverage('wilson', 1e15, .5, .95) as x"),
      block("sql table t", "select lost_by_clearing_absent(1e9, 1e9, 30, 1e9) as x"),
      block("sql table t", "select lost_by_clearing(1e9, 1e9, 1e9, 10) as x"),
      block("sql table t", "select json(printf('%.*c', 200000, '[')) as x"),
      // Figures.
      drawn("select 1 as x, 1e308 * 10 as y", "log: y"),
      drawn("select -1 as x, 0 as y", "log: x y"),
      drawn("select 1e308 as x, -1e308 as y union all select -1e308, 1e308", ""),
      drawn("select 1e-320 as x, 5e-324 as y", "log: x y"), drawn("select 'a' as x, 'b' as y", ""),
      drawn("select null as x, 1 as y", "residual: yes"),
      drawn(million + "select i as x, i as y from c limit 90000", "joined: yes"),
      drawn(million + "select i as x, i as y, 's' || i as s from c limit 3000", "series: s"),
      drawn(million + "select i as x, i as y, i as p from c limit 3000", "panel: p"),
      many_figures(400),
      drawn("select 1 as x, 2 as y", "title: " + command + "\nx label: " + command),
      drawn("select '" + times(2, "''; system ''touch " + outside + "'';") + "' as x, 2 as y", ""),
      drawn("select 1 as x, 2 as y", "title: " + times(20'000, "a")),
      drawn("select 1 as x, 2 as y", "x from: 1e400\nx to: nan")};
}

}  // namespace

// A test of no time: queries end by Database::most_seconds, and what would not end, by ctest's
// bound.
TEST_CASE("a hostile page costs at most its own section, within a bound of memory",
          "[analysis][hostile]") {
  const Temporary outer;
  const std::string outside = (outer.path / "written").string();
  const auto pages = hostile_pages(outside);
  REQUIRE(pages.size() >= 40);
  const auto peak = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const auto before = peak();
  for (const std::string& page : pages) {
    INFO(page.substr(0, 300));
    const Temporary folder;
    auto results = synthetic::results({.m = {4000, 8000}, .trials = 3});
    bloomlab::record::write_result_file(folder.path / "good.json", results);
    results.config["title"] = "Strange";
    results.config["page"] = "strange.page.md";
    results.pages["strange.page.md"] = "An answer.\n---\n" + page;
    bloomlab::record::write_result_file(folder.path / "strange.json", results);
    REQUIRE_NOTHROW(check_report(folder.path));
    CHECK_FALSE(fs::exists(outside));
    CHECK(fs::exists(folder.path / "out/REPORT.md"));
    for (const auto& entry : fs::recursive_directory_iterator(outer.path)) {
      FAIL(entry.path());  // written where nothing of the report stands
    }
  }
  CHECK(peak() - before < 2L << 20);  // KiB
}

TEST_CASE("a result with a strange value costs at most itself", "[analysis][hostile]") {
  const char* const wanted = std::getenv("BLOOMLAB_STRANGE_VALUES");
  const int values_of_each = wanted == nullptr ? 2 : std::atoi(wanted);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(BLOOMLAB_SOURCE_DIR "/results")) {
    constexpr std::uintmax_t most_bytes = 32'000;
    const std::string name = entry.path().filename().string();
    const bool whole = name.ends_with(".json") && !name.ends_with(".confirmation.json");
    if (whole && entry.file_size() < most_bytes) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 20);
  std::mt19937_64 random(20261);
  for (const fs::path& file : files) {
    const Json good = Json::parse(read_text(file));
    std::vector<Json::json_pointer> places;
    for (const char* const part : {"config", "provenance", "cells", "pages"}) {
      if (good.contains(part))
        places_in(good[part], Json::json_pointer("/" + std::string(part)), places);
    }
    for (int i = 0; i < values_of_each; ++i) {
      const Json::json_pointer place = places[random() % places.size()];
      const Json value = strange_values()[random() % strange_values().size()];
      INFO(file.filename().string() << place.to_string() << " = " << value.dump());
      const Temporary folder;
      bloomlab::record::write_result_file(folder.path / "good.json",
                                          synthetic::results({.m = {4000, 8000}, .trials = 3}));
      Json strange = good;
      strange[place] = value;
      write_as_result(folder.path / "strange.json", strange);
      REQUIRE_NOTHROW(check_report(folder.path));
    }
  }
}
