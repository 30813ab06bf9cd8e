// What the calibration's exhibits say of counts made by hand: what is too low or too high is
// marked and named, what chance explains is not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <utility>

#include "analysis/exhibits/calibration_points.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/report/section.hpp"
#include "content_tables.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t simulations = 20000;

Json cell(std::uint64_t trials, double expected_hits, const std::string& design = "fixed") {
  return Json{{"m", 1000},        {"bits_per_key", 10}, {"k", 7},
              {"trials", trials}, {"design", design},   {"expected_hits", expected_hits},
              {"effect", 0.0},    {"family", 1}};
}

/// Counts as they are when every interval covers 95 % and every test rejects 5 %.
Json right_counts(std::uint64_t trials) {
  Json counts{{"simulations", simulations}, {"queries", simulations * trials * 3630}};
  for (const char* name : {"own_clopper_pearson", "own_wilson", "ensemble", "fill_known",
                           "fill_student", "pooled_wilson"}) {
    counts[std::string(name) + "_covered"] = 19000;
  }
  for (const char* name : {"rate", "own_rates", "set_bits"}) {
    counts[std::string(name) + "_rejections"] = 1000;
  }
  return counts;
}

Experiment experiment(const std::string& stem, const std::vector<std::pair<Json, Json>>& points) {
  bloomlab::record::ResultFile file;
  file.config = Json{{"kind", "calibration"}, {"title", "Title"}, {"question", "Question?"}};
  file.provenance = Json{{"commit", "0123456"}};
  for (const auto& [where, counts] : points) {
    bloomlab::record::Observation observation;
    observation.cell = where;
    observation.redrawn = {"simulations"};
    observation.measured = counts;
    file.observations.push_back(observation);
  }
  return analyse(
      {.stem = stem, .file_name = stem + ".json", .file = std::move(file), .confirmation = {}});
}

/// One point with 30 expected hits of one filter, one of its counts changed.
Content covered(const std::string& key, std::uint64_t count, double expected_hits = 30,
                std::uint64_t trials = 1) {
  Json counts = right_counts(trials);
  counts[key] = count;
  return coverage_exhibit(experiment("interval_coverage", {{cell(trials, expected_hits), counts}}),
                          Words("en"));
}

const Entry& entry(const Content& content, const std::string& table_name, const std::string& key,
                   std::size_t row = 0) {
  const Table& table = table_called(content, table_name);
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& c) { return c.key == key; });
  REQUIRE(found != table.columns.end());
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

}  // namespace

TEST_CASE("intervals that cover as they say are not marked", "[analysis][exhibits][coverage]") {
  const Content content = covered("simulations", simulations);
  for (const char* key : {"own_clopper_pearson", "own_wilson", "ensemble", "fill_known",
                          "fill_student", "pooled_wilson"}) {
    INFO(key);
    CHECK_FALSE(entry(content, "coverage", key).marked);
  }
  CHECK(content.values.at("promises") == "5");
  CHECK(content.values.at("promises_kept") == "5");
  CHECK(content.values.at("promises_broken") == "–");
  CHECK(content.values.at("alarm_tests") == "3");
  CHECK(content.values.at("alarms_broken") == "0");
}

TEST_CASE("a coverage too low or too high is marked and named", "[analysis][exhibits][coverage]") {
  // 20 000 simulations of 94 % stray by 0.44 % at the 99 % bound: 93.5 % cannot be 94 %, 93.7 can.
  for (const auto& [count, marked] : std::vector<std::pair<std::uint64_t, bool>>{
           {18700, true}, {18740, false}, {19255, false}, {19300, true}}) {
    INFO(count);
    const Content content = covered("ensemble_covered", count);
    CHECK(entry(content, "coverage", "ensemble").marked == marked);
    CHECK(content.values.at("promises_kept") == (marked ? "4" : "5"));
  }
  CHECK(covered("ensemble_covered", 18700).values.at("promises_broken") ==
        "mean rate: ensemble at m = 1000, trials = 1, expected_hits = 30: 0.935 [0.930, 0.939]");
}

TEST_CASE("approximate intervals promise nothing for few hits", "[analysis][exhibits][coverage]") {
  CHECK_FALSE(entry(covered("ensemble_covered", 15000, 29), "coverage", "ensemble").marked);
  CHECK(entry(covered("ensemble_covered", 15000, 31), "coverage", "ensemble").marked);
  // An own rate rests on the hits of one filter alone: 6 of 30 for each of five.
  const Content content = covered("own_wilson_covered", 15000, 30, 5);
  CHECK_FALSE(entry(content, "coverage", "own_wilson").marked);
  CHECK(content.values.at("promises") == "4");
}

TEST_CASE("an exact interval below its level is marked however few the hits",
          "[analysis][exhibits][coverage]") {
  CHECK(entry(covered("own_clopper_pearson_covered", 18900, 0.5), "coverage", "own_clopper_pearson")
            .marked);
  CHECK_FALSE(
      entry(covered("own_clopper_pearson_covered", 20000, 0.5), "coverage", "own_clopper_pearson")
          .marked);
}

TEST_CASE("coverage of an own rate is summed over all counts where queries are fixed",
          "[analysis][exhibits][coverage]") {
  const Content content = covered("simulations", simulations);
  // 3630 queries at the exact rate .00826625 of m = 1000, n = 100, k = 7: by a separate sum over
  // the binomial law, whose intervals came from its tails by definition.
  CHECK(std::get<double>(entry(content, "coverage", "own_clopper_pearson").value) ==
        Approx(0.95687979).epsilon(1e-7));
  CHECK(std::get<double>(entry(content, "coverage", "own_wilson").value) ==
        Approx(0.94676613).epsilon(1e-7));
  CHECK(entry(content, "coverage", "own_wilson").text == "0.9468");
  CHECK(entry(content, "coverage", "own_wilson_counted").text == "0.950 [0.946, 0.954]");
}

TEST_CASE("pooling promises nothing, and is shown to fail", "[analysis][exhibits][coverage]") {
  const Content content = covered("pooled_wilson_covered", 7400, 1000);
  CHECK(entry(content, "coverage", "pooled_wilson").marked);
  CHECK(content.values.at("pooled_worst") == "37.0 %");
  CHECK(content.values.at("promises_broken") == "–");
}

TEST_CASE("alarms beyond the bound of alpha are marked", "[analysis][exhibits][coverage]") {
  CHECK_FALSE(entry(covered("rate_rejections", 1060), "alarms", "rate_rejections").marked);
  CHECK_FALSE(entry(covered("rate_rejections", 0), "alarms", "rate_rejections").marked);
  const Content content = covered("rate_rejections", 1100);
  CHECK(entry(content, "alarms", "rate_rejections").marked);
  CHECK(content.values.at("alarms_broken") == "1");
  CHECK(content.values.at("alarms_kept") == "2");
}

TEST_CASE("a figure for every size of filter has its points in order",
          "[analysis][exhibits][coverage]") {
  std::vector<std::pair<Json, Json>> points;
  for (const double hits : {1.0, 30.0}) points.emplace_back(cell(1, hits), right_counts(1));
  const Content content = coverage_exhibit(experiment("interval_coverage", points), Words("en"));
  REQUIRE(content.figures.size() == 1);
  CHECK(content.figures[0].name == "interval_coverage_1000");
  REQUIRE(content.figures[0].series.size() == 6);
  CHECK(content.figures[0].series[0].points.size() == 2);
  CHECK(content.figures[0].markers.at(0).at == 0.95);
}

TEST_CASE("power is held against the plan's, less three standard errors",
          "[analysis][exhibits][power]") {
  // .90 - 3 sqrt(.09 / 20000) = .89364
  const auto content = [](std::uint64_t noticed) {
    Json deviating = cell(60, 0, "planned");
    deviating["effect"] = 0.1;
    deviating["family"] = 42;
    Json right = deviating;
    right["effect"] = 0.0;
    Json counts = right_counts(60);
    for (const char* name : {"rate", "own_rates", "set_bits"}) {
      counts[std::string(name) + "_rejections"] = 24;
    }
    Json found = counts;
    found["rate_rejections"] = noticed;
    return power_exhibit(experiment("test_power", {{deviating, found}, {right, counts}}),
                         Words("en"));
  };
  const Content enough = content(17880);
  CHECK(table_called(enough, "power").rows.size() == 1);
  CHECK(table_called(enough, "alarms").rows.size() == 1);
  CHECK_FALSE(entry(enough, "power", "power").marked);
  CHECK(enough.values.at("power_kept") == "1");
  CHECK(enough.values.at("power_bound") == "89.4 %");
  CHECK(enough.values.at("alarms_kept") == "3");
  const Content missing = content(17860);
  CHECK(entry(missing, "power", "power").marked);
  CHECK(missing.values.at("power_broken") == "m = 1000, trials = 60, effect = 0.1, family = 42");
}

TEST_CASE("trials of a point are counted together", "[analysis][exhibits][coverage]") {
  const auto points = calibration_points(
      experiment("interval_coverage",
                 {{cell(1, 30), right_counts(1)}, {cell(1, 30), right_counts(1)}})
          .observations,
      "a.json");
  REQUIRE(points.size() == 1);
  CHECK(points[0].simulations() == 2 * simulations);
  CHECK(points[0].queries() == 3630);
}

TEST_CASE("results that are no calibration are refused", "[analysis][exhibits][coverage]") {
  CHECK_THROWS_WITH(
      calibration_points(
          experiment("interval_coverage", {{Json{{"m", 1}}, Json::object()}}).observations,
          "a.json"),
      Catch::StartsWith("a.json: {\"m\":1} is no observation of a calibration (") &&
          Catch::EndsWith("); measure again with `bloomlab run --force`"));
}

TEST_CASE("the pages of a calibration hold every text they ask for",
          "[analysis][exhibits][coverage]") {
  const auto page = [](const std::string& stem, const std::string& design) {
    return make_section(experiment(stem, {{cell(1, 400, design), right_counts(1)}}), Words("en"),
                        {})
        .answer;
  };
  CHECK_THAT(page("interval_coverage", "fixed"),
             Catch::Contains("only 95.0 % of the time at worst"));
  CHECK_THAT(page("interval_stopping", "precision"), Catch::Contains("5 of 5 promises are kept"));
  CHECK_THAT(page("interval_fixed_hits", "hits"), Catch::Contains("5 of 5 promises are kept"));
  CHECK_THAT(page("test_power", "planned"), Catch::Contains("with 90 % power"));
}
