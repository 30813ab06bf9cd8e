#include "analysis/tables/table.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace bloomlab::analysis;

namespace {

Table example() {
  Table table{.name = "example",
              .caption = "An example.",
              .columns = {{"size", "bits"}, {"rate"}, {"note"}},
              .rows = {}};
  table.rows.push_back({count_entry(10000), interval_entry(0.25, 0.2, 0.3), {"a|b"}});
  table.rows.push_back({count_entry(20000), no_entry(), {"x, \"y\"", true}});
  return table;
}

}  // namespace

TEST_CASE("a table is Markdown with units, alignment and marks", "[analysis][table]") {
  CHECK(markdown(example()) ==
        "*An example.*\n\n"
        "| size [bits] | rate | note |\n"
        "| ---: | ---: | --- |\n"
        "| 10\u202f000 | 0.25 [0.20, 0.30] | a\\|b |\n"
        "| 20\u202f000 | – | **x, \"y\"** |\n");
}

TEST_CASE("a long table is folded under its label", "[analysis][table]") {
  Table table = example();
  table.fold_label = "All cells";
  const std::string text = markdown(table);
  CHECK(text.starts_with("<details>\n<summary>All cells</summary>\n\n"));
  CHECK(text.ends_with("\n</details>\n"));
}

TEST_CASE("fields of CSV are quoted where they must be", "[analysis][table]") {
  const std::vector<std::string> fields = {"", "a|b", "x, \"y\"", "two\nlines"};
  CHECK(csv_line(fields) == ",a|b,\"x, \"\"y\"\"\",\"two\nlines\"\n");
}

TEST_CASE("no text of a CSV file is a formula", "[analysis][table]") {
  const std::vector<std::string> formulas = {"=1+1", "+cmd|' /C calc'!A0", "-a", "@SUM(A1)",
                                             "\t=1"};
  for (const std::string& field : formulas) {
    const std::string line = csv_line(std::vector{field});
    INFO(line);
    CHECK(line.starts_with('\''));
  }
  CHECK(csv_quoted("=1 \"") == "\"'=1 \"\"\"");
  const std::vector<std::string> numbers = {"-1", "+0.36 %", "-", "−0.0016 %", "-2.5e-7"};
  for (const std::string& field : numbers) CHECK(csv_line(std::vector{field}) == field + "\n");
}

TEST_CASE("a row of the wrong length is a fault of the program", "[analysis][table]") {
  Table table = example();
  table.rows[0].pop_back();
  CHECK_THROWS_AS(markdown(table), std::logic_error);
}

TEST_CASE("text from a config cannot become markup", "[analysis][table]") {
  CHECK(markdown_escaped("<b>*x*|[y]\n#") == "\\<b\\>\\*x\\*\\|\\[y\\] \\#");
}
