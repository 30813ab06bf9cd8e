#include "analysis/tables/table.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace bloomlab::analysis;

namespace {

Table example() {
  Table table{.name = "example",
              .caption = "An example.",
              .columns = {{"m", "size", "bits"},
                          {"hits", "hits", "keys", Shown::csv_only},
                          {"rate", "rate"},
                          {"note", "note"}},
              .rows = {}};
  table.rows.push_back(
      {count_entry(10000), count_entry(7), interval_entry(0.25, 0.2, 0.3), word_entry("a|b")});
  table.rows.push_back({count_entry(20000), count_entry(0), no_entry(), word_entry("x, \"y\"")});
  table.rows[1][3].marked = true;
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

TEST_CASE("the same table is CSV with keys, units, full numbers and quotes", "[analysis][table]") {
  CHECK(csv(example()) ==
        "m [bits],hits [keys],rate,note\n"
        "10000,7,0.25,a|b\n"
        "20000,0,,\"x, \"\"y\"\"\"\n");
}

TEST_CASE("a column only for people is not in the CSV", "[analysis][table]") {
  Table table = example();
  table.columns[3].shown = Shown::markdown_only;
  CHECK(csv(table) == "m [bits],hits [keys],rate\n10000,7,0.25\n20000,0,\n");
}

TEST_CASE("a row of the wrong length is a fault of the program", "[analysis][table]") {
  Table table = example();
  table.rows[0].pop_back();
  CHECK_THROWS_AS(markdown(table), std::logic_error);
  CHECK_THROWS_AS(csv(table), std::logic_error);
}

TEST_CASE("text from a config cannot become markup", "[analysis][table]") {
  CHECK(markdown_escaped("<b>*x*|[y]\n#") == "\\<b\\>\\*x\\*\\|\\[y\\] \\#");
}
