#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "analysis/pages/figures.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "tests/analysis/synthetic.hpp"
#include "tests/thrown.hpp"

using namespace bloomlab;
using namespace bloomlab::analysis;
using bloomlab::analysis::pages::most_figures_of_page;
using bloomlab::analysis::pages::parse_page;

namespace {

const Words english("en");

Experiment small() {
  return synthetic::experiment(
      {.stem = "small", .n = 1000, .m = {4000, 8000}, .k = {2, 4}, .trials = 5});
}

Content content_of(const Experiment& experiment, const std::string& blocks,
                   std::span<const Experiment> others = {}) {
  return pages::content_of(parse_page("p.md", "a\n---\n" + blocks, experiment.stem), experiment,
                           others, english);
}

const char* const folds =
    "```sql table rates\n-- Measured and expected.\n"
    "select n, filter_m as \"size [bits]\", filter_k as k, fpr, fpr_low, fpr_high, expected\n"
    "from cells order by filter_m\n```\n";

}  // namespace

TEST_CASE("cells hold parameters, estimates and the closed form of the catalogue",
          "[pages][content]") {
  const Experiment experiment = small();
  const Content content = content_of(experiment, folds);
  REQUIRE(content.tables.size() == 1);
  const Table& table = content.tables[0];
  CHECK(table.caption == "Measured and expected.");
  REQUIRE(table.columns.size() == 5);
  CHECK(table.columns[1].heading == "size");
  CHECK(table.columns[1].unit == "bits");
  REQUIRE(table.rows.size() == 4);
  const Measurement& first = experiment.measurements[0];
  const std::string csv = whole_text(content.csv.at(table.name));
  CHECK_THAT(csv, Catch::Contains("," + exact_text(first.estimate->rate.value) + "," +
                                  exact_text(first.estimate->rate.interval.low) + ","));
  CHECK_THAT(csv, Catch::Contains("," + exact_text(first.prediction->rate) + "\n"));
  CHECK_THAT(table.rows[0][3].text, Catch::Contains(" ["));
}

TEST_CASE("values become tags, with unit and interval; without a row a dash", "[pages][content]") {
  const Experiment experiment = small();
  const Content content = content_of(
      experiment,
      "```sql values\nselect count(*) as many, sum(queries) as \"asked [queries]\" from cells\n"
      "```\n```sql values\nselect fpr as none, 1 as other from cells where n = 5\n```\n");
  CHECK(content.values.at("many") == "4");
  CHECK(content.values.at("asked") == grouped(2'000'000) + " queries");
  CHECK(content.values.at("none") == "–");
  CHECK_THROWS_WITH(content_of(experiment, "```sql values\nselect fpr from cells\n```\n"),
                    "p.md: line 4: values are one row, the query gives 4; use an aggregate or "
                    "\"limit 1\"");
  CHECK_THROWS_WITH(
      content_of(experiment,
                 "```sql values\nselect 1 as a\n```\n```sql values\nselect 2 as a\n```\n"),
      "p.md: line 7: a second value is called \"a\"");
}

TEST_CASE("a parameter that no cell has is null, and one that is misspelt a fault",
          "[pages][content]") {
  const Experiment experiment = small();
  const auto value_of = [&](const std::string& column) {
    return content_of(experiment,
                      "```sql values\nselect max(" + column + ") as x from cells\n```\n")
        .values.at("x");
  };
  CHECK(value_of("filter_counter_bits") == "–");  // of another filter
  CHECK(value_of("filter_p") == "–");             // no filter of these cells has it
  CHECK(value_of("keys_path") == "–");
  for (const auto& [wrong, right] :
       std::map<std::string, std::string>{{"hash_nmae", "hash_name"},
                                          {"keys_sourc", "keys_source"},
                                          {"hash_reducton", "hash_reduction"},
                                          {"filter_kinds", "filter_kind"}}) {
    CHECK_THROWS_WITH(value_of(wrong), "p.md: line 4: no cell has the parameter \"" + wrong +
                                           "\"; did you mean \"" + right + "\"?");
  }
}

TEST_CASE("the trials and the config can be asked, and other results by their stem",
          "[pages][content]") {
  const Experiment experiment = small();
  std::vector<Experiment> others;
  others.push_back(synthetic::experiment({.stem = "b c", .n = 10, .m = {100}, .k = {1}}));
  const Content content = content_of(
      experiment,
      "```sql values\nselect (select count(*) from trials) as trials,\n"
      "(select sum(false_positives) from trials) = (select sum(false_positives) from cells)\n"
      "as same, (select value from config where path = '/queries') as queries,\n"
      "(select n from \"b c.cells\") as other\n```\n",
      others);
  CHECK(content.values.at("trials") == "20");
  CHECK(content.values.at("same") == "1");
  CHECK(content.values.at("other") == "10");
}

TEST_CASE("a figure has points with intervals, lines of theory and a residual panel",
          "[pages][content]") {
  const Experiment experiment = small();
  const Content content = content_of(
      experiment, std::string(folds) +
                      "```sql data dense\nwith recursive s(m) as (select 4000 union all "
                      "select m + 100 from s where m < 8000)\n"
                      "select m as \"size [bits]\", k, standard_exact(m, 1000, k) as expected\n"
                      "from s, (select distinct filter_k as k from cells)\n```\n"
                      "```figure rates\nquery: rates\nx: size [bits]\ny: fpr\nseries: k\n"
                      "line: expected\nline query: dense\nresidual: yes\nlog: y\n```\n");
  REQUIRE(content.figures.size() == 1);
  const plot::Figure& figure = content.figures[0];
  CHECK(figure.name == "small_rates");
  CHECK(figure.x.label == "size [bits]");
  CHECK(figure.y.scale == plot::Scale::log);
  REQUIRE(figure.series.size() == 4);
  CHECK(figure.series[0].role == plot::Role::theory);
  CHECK(figure.series[0].group == "k = 2");
  CHECK(figure.series[0].points.size() == 41);
  CHECK(figure.series[2].group == "k = 2");
  REQUIRE(figure.series[2].points.size() == 2);
  CHECK(figure.series[2].points[0].low < figure.series[2].points[0].y);
  REQUIRE(figure.ratio);
  CHECK(figure.ratio->series.size() == 2);
  CHECK(figure.ratio->series[0].points[0].y == Approx(1).margin(0.2));
  CHECK_NOTHROW(plot::gnuplot_script(figure));
}

TEST_CASE("a fault of a figure names its place", "[pages][content]") {
  const Experiment experiment = small();
  const auto fault = [&](const std::string& settings) {
    try {
      static_cast<void>(content_of(experiment, "```figure f\n" + settings + "```\n"));
    } catch (const bloomlab::record::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(fault("y: fpr\n") == "p.md: line 4: a figure wants \"x\": add a line \"x: ...\"");
  CHECK(fault("x: n\ny: fpr\nlin: a\n") ==
        "p.md: line 4: unknown setting \"lin\" of a figure; did you mean \"line\"?");
  CHECK(fault("x: n\ny: fpr\nquery: nothing\n") ==
        "p.md: line 4: no table or data block is called \"nothing\"");
  CHECK(fault("x: n\ny: fpr\nresidual: yes\n") ==
        "p.md: line 4: \"residual: yes\" wants a \"line\" to compare with");
  CHECK_THAT(fault("x: n\ny: fprr\n"), Catch::StartsWith("p.md: line 4: no column \"fprr\""));
  CHECK(fault("x: n\ny: fpr\nkind: blob\n") ==
        "p.md: line 4: \"kind\" is \"blob\"; known: \"points\", \"line\", \"step\"");
}

TEST_CASE("a logarithmic axis leaves out what it cannot show", "[pages][content]") {
  const Content content =
      content_of(small(),
                 "```sql data d\nselect 1 as x, 0.5 as y, -0.5 as y_low, 1 as "
                 "y_high union all select 2, -1, -2, 0 union all select 0, 3, "
                 "2, 4\n```\n```figure f\nquery: d\nx: x\ny: y\nlog: x y\n```\n");
  REQUIRE(content.figures.size() == 1);
  REQUIRE(content.figures[0].series.size() == 1);
  const auto& points = content.figures[0].series[0].points;
  REQUIRE(points.size() == 1);
  CHECK(points[0].y == 0.5);
  CHECK(points[0].low == 0);
  CHECK_NOTHROW(static_cast<void>(plot::gnuplot_script(content.figures[0])));
}

TEST_CASE("a figure of panels is one picture for each value, at one tag", "[pages][content]") {
  const Content content = content_of(
      small(), "```figure f\nx: filter_m\ny: fpr\nseries: model\npanel: filter_k\n```\n");
  REQUIRE(content.figures.size() == 2);
  CHECK(content.figures[0].name == "small_f_filter_k_2");
  CHECK_THAT(content.figures[1].title, Catch::Contains("filter_k = 4"));
  CHECK(content.parts.at("small_f") ==
        std::vector<std::string>{"small_f_filter_k_2", "small_f_filter_k_4"});
}

TEST_CASE("panels together are one figure, with a title each and the name of its tag",
          "[pages][content]") {
  const std::string block = "```figure f\nx: filter_m\ny: fpr\nseries: model\npanel: filter_k\n";
  for (const bool own : {false, true}) {
    const Content content =
        content_of(small(), block + (own ? "panels: own scale\n```\n" : "panels: together\n```\n"));
    REQUIRE(content.figures.size() == 1);
    const plot::Figure& figure = content.figures[0];
    CHECK(figure.name == "small_f");
    CHECK(figure.panels == std::vector<std::string>{"filter_k = 2", "filter_k = 4"});
    CHECK(figure.own_scale == own);
    CHECK_THAT(figure.title, !Catch::Contains("filter_k"));
    CHECK_FALSE(content.parts.contains("small_f"));
    REQUIRE(figure.series.size() == 2);
    CHECK(figure.series[1].panel == 1);
  }
  CHECK(content_of(small(), block + "panels: single\n```\n").figures.size() == 2);
}

TEST_CASE("more panels than can be read together are single pictures", "[pages][content]") {
  const auto figures_of = [](int panels) {
    return content_of(small(),
                      "```sql data d\nwith recursive p(v) as (select 1 union all select v + 1 "
                      "from p where v < " +
                          std::to_string(panels) +
                          ") select v, 1 as x, 2 as y from p\n```\n```figure f\nquery: d\n"
                          "x: x\ny: y\npanel: v\npanels: together\n```\n")
        .figures.size();
  };
  CHECK(figures_of(1) == 1);
  CHECK(figures_of(9) == 1);
  CHECK(figures_of(10) == 10);
}

TEST_CASE("a page draws so many figures and says how many are left out", "[pages][content]") {
  const std::string many =
      "```sql data d\nwith recursive p(v) as (select 1 union all select v + 1 from p where v < "
      "130) "
      "select v, 1 as x, 2 as y from p\n```\n";
  const std::string figure = "```figure f\nquery: d\nx: x\ny: y\npanel: v\n```\n";
  const Content content = content_of(small(), many + figure);
  REQUIRE(content.figures.size() == most_figures_of_page);
  CHECK_THAT(content.figures.back().caption, Catch::Contains("not drawn: 10;"));
  CHECK(content.parts.at("small_f").size() == most_figures_of_page);
  const std::string one_more = "```figure g\nquery: d\nx: x\ny: y\n```\n";
  CHECK(bloomlab::tests::thrown([&] {
          static_cast<void>(content_of(small(), many + figure + one_more));
        }) == "p.md: line 13: a page draws at most 120 figures; leave some out");
  std::string pages =
      "```sql data d\nwith recursive p(v) as (select 1 union all select v + 1 from p "
      "where v < 20000) select v from p\n```\n";
  for (int i = 0; i < 11; ++i) {
    pages += "```figure f" + std::to_string(i) + "\nquery: d\nx: v\ny: v\n```\n";
  }
  CHECK(bloomlab::tests::thrown([&] { static_cast<void>(content_of(small(), pages)); }) ==
        "p.md: line 57: the figures of this page have more than 200000 points together; take "
        "fewer, or leave some out");
}

TEST_CASE("the tables of a page have so many entries", "[pages][content]") {
  const std::string rows =
      "```sql data d\nwith recursive p(v) as (select 1 union all select v + 1 from p where v < "
      "90000) "
      "select v from p\n```\n";
  const auto table = [](const std::string& name, const std::string& columns) {
    return "```sql table " + name + "\nselect " + columns + " from d\n```\n";
  };
  const std::string ten =
      "v, v as b, v as c, v as d, v as e, v as f, v as g, v as h, v as i, v as j";
  CHECK(content_of(small(), rows + table("t", ten)).tables.size() == 1);
  CHECK(bloomlab::tests::thrown([&] {
          static_cast<void>(content_of(small(), rows + table("t", ten) + table("u", ten)));
        }) ==
        "p.md: line 10: the tables of this page have more than 1000000 entries together; group "
        "or limit their rows, or leave some out");
}

TEST_CASE("faults of panels are one line", "[pages][content]") {
  const auto fault = [](const std::string& settings) {
    return bloomlab::tests::thrown([&] {
      static_cast<void>(
          content_of(small(), "```figure f\nx: filter_m\ny: fpr\n" + settings + "```\n"));
    });
  };
  CHECK(fault("panel: filter_k\npanels: togethr\n") ==
        "p.md: line 4: \"panels\" is \"togethr\"; did you mean \"together\"?");
  CHECK(fault("panels: together\n") ==
        "p.md: line 4: \"panels\" wants \"panel\": add a line \"panel: COLUMN\"");
  CHECK(fault("panel: filter_k\npanels: together\nline: expected\nresidual: yes\n") ==
        "p.md: line 4: figure small_f: small panels have no residual panel; leave one of both out");
}

TEST_CASE("cells are bold where a column says so; blocks and values serve what comes later",
          "[pages][content]") {
  const Content content = content_of(
      small(),
      "```sql values\nselect count(*) as \"all cells\" from cells\n```\n"
      "```sql table t\n-- Of {{all cells}} cells.\n-- fold: Every cell\n"
      "select filter_m as m, filter_m > 4000 as m_marked, null as none_known from cells\n```\n"
      "```sql table u\nselect sum(m) as total from t\n```\n");
  REQUIRE(content.tables.size() == 2);
  const Table& table = content.tables[0];
  CHECK(table.caption == "Of 4 cells.");
  CHECK(table.fold_label == "Every cell");
  REQUIRE(table.columns.size() == 1);  // a column without any value is not shown
  CHECK_FALSE(table.rows[0][0].marked);
  CHECK(table.rows[3][0].marked);
  CHECK(content.tables[1].rows[0][0].text == "24\u202f000");
  CHECK_FALSE(content.values.contains("all cells"));  // the caption alone asks for it
}

TEST_CASE("a table's CSV comes in pieces, which are together the table in memory",
          "[pages][content]") {
  Experiment experiment = synthetic::experiment({.trials = 3000, .queries = 100});
  bloomlab::record::Observation late = experiment.observations.back();
  late.measured["late"] = 1;  // a column that no row before has
  experiment.observations.push_back(late);
  for (const pages::MakeRows make : {&pages::add_trials, &pages::add_cells, &pages::add_rungs}) {
    const auto give = pages::csv_of(make, experiment);
    REQUIRE(give);
    const std::string all = pages::csv(pages::relation_of(make, experiment));
    CHECK(whole_text(*give) == all);
    CHECK(whole_text(*give) == all);  // as often as it is asked for
    if (make != &pages::add_trials) continue;
    std::size_t longest = 0;
    (*give)([&](std::string_view piece) { longest = std::max(longest, piece.size()); });
    CHECK(longest < all.size() / 2);
    CHECK_THAT(all.substr(0, all.find('\n')), Catch::EndsWith(",late"));
  }
}
