#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/report/section.hpp"
#include "content_tables.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

std::size_t column(const Table& table, const std::string& key) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& c) { return c.key == key; });
  REQUIRE(found != table.columns.end());
  return static_cast<std::size_t>(found - table.columns.begin());
}

synthetic::Plan textbook_plan() {
  synthetic::Plan plan{.stem = "textbook_table",
                       .n = 1000,
                       .k = {1, 2, 3, 4, 5, 6, 7, 8},
                       .trials = 10,
                       .queries = 20000,
                       .seed = 31};
  plan.m.clear();
  for (std::uint64_t ratio = 2; ratio <= 10; ++ratio) plan.m.push_back(ratio * plan.n);
  return plan;
}

}  // namespace

TEST_CASE("the closed form equals all 49 printed textbook entries", "[analysis][exhibits]") {
  const auto content = textbook_exhibit(synthetic::experiment(textbook_plan()), Words("en"));
  CHECK(content.values.at("printed_count") == "49");
  CHECK(content.values.at("equal_count") == "49");
  CHECK(content.values.at("measured_count") == "49");
  // Simultaneous 99 % intervals: a right program fails this with probability 0.01; fixed seed.
  CHECK(content.values.at("inside_count") == "49");
}

TEST_CASE("the slide's k* column has one slip, and it is marked", "[analysis][exhibits]") {
  const auto content = textbook_exhibit(synthetic::experiment(textbook_plan()), Words("en"));
  CHECK(content.values.at("k_star_equal") == "8");
  CHECK(content.values.at("k_star_slips") == "m/n = 5 prints 3.46 for 3.4657");
  const Table& table = table_called(content, "textbook_printed");
  REQUIRE(table.rows.size() == 9);
  CHECK(table.rows[3][1].text == "**3.46 ≠**<br>3.4657");
  CHECK(table.rows[4][1].text == "4.16<br>4.1589");
  CHECK(table.columns.size() == 10);
  CHECK(std::get<std::string>(table.rows[8][8].value) == "0.00819");
}

TEST_CASE("a rate outside its simultaneous interval is marked", "[analysis][exhibits]") {
  auto plan = textbook_plan();
  plan.factor = [](const Json& cell) {
    return cell.at("filter").at("m") == 4000 && cell.at("filter").at("k") == 2 ? 1.3 : 1.0;
  };
  const auto content = textbook_exhibit(synthetic::experiment(plan), Words("en"));
  CHECK(content.values.at("inside_count") == "48");
  CHECK(table_called(content, "textbook_printed").rows[2][3].text.starts_with("**0.155 ≠**"));
}

TEST_CASE("entries that were not measured are said to be so", "[analysis][exhibits]") {
  auto plan = textbook_plan();
  plan.m = {4000};
  plan.k = {1, 2};
  const auto content = textbook_exhibit(synthetic::experiment(plan), Words("en"));
  CHECK(content.values.at("measured_count") == "2");
  CHECK(content.values.at("equal_count") == "49");
  CHECK(table_called(content, "textbook_printed").rows[0][2].text == "0.393<br>0.39347<br>–");
}

TEST_CASE("the ratio table is right digit for digit but for 1:64", "[analysis][exhibits]") {
  const auto content = ratio_exhibit(
      synthetic::experiment({.stem = "ratio_table", .m = {1000, 2000}, .k = {1, 2}}), Words("en"));
  CHECK(content.values.at("printed_count") == "7");
  CHECK(content.values.at("equal_count") == "6");
  CHECK(content.values.at("wrong_lines") ==
        "1:64 is printed as 0.000000000004 and is 4.4333×10⁻¹⁴, off by a factor of 90");
  const Table& table = table_called(content, "ratios");
  const std::size_t best = column(table, "best_k");
  // Integer k of the lowest rate: the slides round up, which is not best at 1:2, 1:16, 1:32, 1:64.
  const std::uint64_t expected[] = {1, 1, 3, 6, 11, 22, 44};
  for (std::size_t row = 0; row < 7; ++row) {
    CHECK(std::get<std::uint64_t>(table.rows[row][best].value) == expected[row]);
  }
}

TEST_CASE("the printed tables of the lab report are complete", "[analysis][exhibits]") {
  const Json source = printed_source("lab_report_tables");
  REQUIRE(source.at("tables").size() == 2);
  for (const Json& table : source.at("tables")) {
    CHECK(table.at("rows").size() == 11);
    for (const Json& row : table.at("rows")) {
      // Capacity is in bits: m (2^layers - 1).
      const std::uint64_t m = row.at("m");
      const std::uint64_t layers = row.at("expansions").get<std::uint64_t>() + 1;
      CHECK(row.at("capacity") == m * ((std::uint64_t{1} << layers) - 1));
      CHECK(row.at("fp1").get<std::string>().size() == 6);
    }
  }
}

namespace {

/// lab_report with exactly the printed values as counts.
bloomlab::record::ResultFile printed_lab_report() {
  auto file = synthetic::results({.trials = 1});
  file.observations.clear();
  const Json source = printed_source("lab_report_tables");
  const auto add = [&](const Json& row, const std::string& rate, const Json& filter,
                       std::uint64_t layers, std::uint64_t bits) {
    Json cell = synthetic::standard_cell(100000, row.at("m"), 5, "lab_shift_xor");
    cell["filter"] = filter;
    cell["hash"] = Json{{"name", "identity"}, {"probe", "lab_shift_xor"}, {"reduction", "modulo"}};
    const auto hits = static_cast<std::uint64_t>(std::llround(std::stod(rate) * 10000));
    auto observation = synthetic::observation(cell, 0, hits, 10000, 1, 0.5);
    observation.measured["layers"] = layers;
    observation.measured["bits"] = bits;
    file.observations.push_back(observation);
  };
  for (const Json& row : source.at("tables")[0].at("rows")) {
    add(row, row.at("fp1"), Json{{"kind", "standard"}, {"m", row.at("m")}, {"k", 5}}, 1,
        row.at("m"));
  }
  for (const Json& table : source.at("tables")) {
    for (const Json& row : table.at("rows")) {
      const Json filter = {
          {"kind", "scalable_untightened"}, {"m", row.at("m")}, {"k", 5}, {"fp", table.at("fp")}};
      add(row, row.at("fp2"), filter, row.at("expansions").get<std::uint64_t>() + 1,
          row.at("capacity"));
    }
  }
  return file;
}

Content lab_content(bloomlab::record::ResultFile file) {
  return lab_report_exhibit(analyse({.stem = "lab_report",
                                     .file_name = "lab_report.json",
                                     .file = std::move(file),
                                     .confirmation = {}}),
                            Words("en"));
}

}  // namespace

TEST_CASE("the lab report's 22 rows are compared digit for digit", "[analysis][exhibits]") {
  const auto content = lab_content(printed_lab_report());
  CHECK(content.values.at("printed_count") == "88");
  CHECK(content.values.at("equal_count") == "88");
  CHECK(content.values.at("differing") == "–");
  CHECK(table_called(content, "lab_4_2").rows.size() == 11);
  CHECK(table_called(content, "lab_4_3").rows.size() == 11);
}

TEST_CASE("a single hit more in the lab report is seen and marked", "[analysis][exhibits]") {
  auto file = printed_lab_report();
  auto& measured = file.observations[11 + 2].measured;  // table 4.2, m = 800 000, fp2
  measured["false_positives"] = measured["false_positives"].get<int>() + 1;
  measured["true_negatives"] = measured["true_negatives"].get<int>() - 1;
  const auto content = lab_content(std::move(file));
  CHECK(content.values.at("equal_count") == "87");
  CHECK(content.values.at("differing") == "4.2, m = 800\u202f000 fp2: 0.0132 ≠ 0.0133");
  const Table& table = table_called(content, "lab_4_2");
  CHECK(table.rows[2][column(table, "fp2")].marked);
  CHECK_FALSE(table.rows[2][column(table, "fp1")].marked);
}

TEST_CASE("the best number of probes is found per sweep", "[analysis][exhibits]") {
  const auto experiment = synthetic::experiment(
      {.stem = "fpr_vs_k", .m = {4000, 8000}, .k = {1, 2, 3, 4, 5, 6, 7, 8}, .trials = 20});
  const auto sweeps = probe_sweeps(experiment);
  REQUIRE(sweeps.size() == 2);
  CHECK(sweeps[0].label == "m/n = 4");
  CHECK(number_at(sweeps[0].best_exact->cell, "/filter/k") == 3);
  CHECK(number_at(sweeps[1].best_exact->cell, "/filter/k") == 6);
}

TEST_CASE("the best fill for an integer k is near half, and not half", "[analysis][exhibits]") {
  const auto experiment = synthetic::experiment(
      {.stem = "fpr_vs_fill", .m = {5000, 8000}, .k = {1, 2, 3, 4, 5, 6, 7, 8}, .trials = 20});
  const auto content = fill_exhibit(experiment, Words("en"));
  // 1 - e^(-k/5) at k = 3 is 0.4512, 1 - e^(-k/8) at k = 6 is 0.5276.
  CHECK_THAT(content.values.at("fill_list"), Catch::StartsWith("m/n = 5: 45."));
  CHECK_THAT(content.values.at("fill_list"), Catch::Contains("m/n = 8: 52."));
}

TEST_CASE("the furthest cell is the one with the largest z", "[analysis][exhibits]") {
  synthetic::Plan plan{.m = {4000, 8000}, .k = {1, 2, 3}, .trials = 20};
  plan.factor = [](const Json& cell) {
    return cell.at("filter").at("m") == 4000 && cell.at("filter").at("k") == 2 ? 1.1 : 1.0;
  };
  const auto experiment = synthetic::experiment(plan);
  const Measurement* worst = most_deviant(experiment, [](const Measurement&) { return true; });
  REQUIRE(worst != nullptr);
  CHECK(number_at(worst->cell, "/filter/k") == 2);
  CHECK(deviation_of(*worst).value == Approx(0.1).margin(0.02));
}

namespace {

/// Whether the exhibit reads the points of a grid without filters.
bool reads_points(std::string_view stem) {
  static constexpr std::array<std::string_view, 22> stems = {"mutation_matrix",
                                                             "interval_coverage",
                                                             "interval_stopping",
                                                             "interval_fixed_hits",
                                                             "test_power",
                                                             "counting_deletion",
                                                             "counting_overflow",
                                                             "spectral_multiplicity",
                                                             "hash_quality",
                                                             "throughput",
                                                             "throughput_scale",
                                                             "hash_speed",
                                                             "peers",
                                                             "construction",
                                                             "speed_bits",
                                                             "speed_cold",
                                                             "speed_keys",
                                                             "speed_latency",
                                                             "speed_threads",
                                                             "external_peers",
                                                             "speed_build_threads",
                                                             "speed_deduplication"};
  return std::find(stems.begin(), stems.end(), stem) != stems.end();
}

}  // namespace

TEST_CASE("every exhibit is drawn and written from any grid of its name", "[analysis][exhibits]") {
  // Another grid than the suite's: what is missing must be said, not fail.
  for (const ExhibitEntry& exhibit : exhibits()) {
    if (reads_points(exhibit.stem)) continue;
    INFO(exhibit.stem);
    const auto experiment = synthetic::experiment(
        {.stem = std::string(exhibit.stem), .m = {7000}, .k = {4}, .trials = 2, .queries = 100});
    CHECK_NOTHROW(make_section(experiment, Words("en"), {}));
  }
}

TEST_CASE("exhibits of kinds with a grid of their own refuse other results by name",
          "[analysis][exhibits]") {
  for (const ExhibitEntry& exhibit : exhibits()) {
    if (!reads_points(exhibit.stem)) continue;
    INFO(exhibit.stem);
    const std::string stem(exhibit.stem);
    const auto experiment =
        synthetic::experiment({.stem = stem, .m = {7000}, .k = {4}, .trials = 2, .queries = 100});
    CHECK_THROWS_WITH(exhibit.build(experiment, Words("en")),
                      Catch::StartsWith(stem + ".json: ") &&
                          Catch::EndsWith("measure again with `bloomlab run --force`"));
  }
}
