#include "analysis/data/with_statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/data/load.hpp"
#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "statistics/thresholds.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"

using namespace bloomlab::analysis;
namespace thresholds = bloomlab::statistics::thresholds;

namespace {

/// 5 sizes x 8 k: 40 cells, 80 tests, with enough hits to see a tenth in each.
synthetic::Plan wide_plan(std::uint64_t seed) {
  return {.m = {4000, 5000, 6000, 8000, 10000},
          .k = {1, 2, 3, 4, 5, 6, 7, 8},
          .trials = 20,
          .queries = 200000,
          .seed = seed};
}

/// The flags of a file whose cells come one after the other, tested so many at a time.
std::vector<FlaggedCell> flags_of(const bloomlab::record::ResultFile& file,
                                  std::size_t at_once = 4096) {
  FlagSearch search("r.json", at_once);
  file.observations.for_each_cell([&](const auto& rows) { search.add(rows); });
  return search.flagged(file.config);
}

bool is_injected(const Json& cell) {
  return cell.at("filter").at("m") == 8000 && cell.at("filter").at("k") == 4;
}

}  // namespace

TEST_CASE("estimates add up what the trials counted", "[analysis][statistics]") {
  const auto experiment = synthetic::experiment({.trials = 4});
  for (const Measurement& m : experiment.measurements) {
    std::uint64_t hits = 0;
    hits += m.trials[Trials::false_positives].sum();
    CHECK(m.estimate->hits == hits);
    CHECK(m.estimate->queries == 400000);
    CHECK(m.estimate->rate.value == static_cast<double>(hits) / 400000);
    CHECK(m.estimate->rate.interval.contains(m.estimate->rate.value));
    CHECK(m.estimate->fill_is_estimate);
    CHECK(m.estimate->fill_interval->contains(m.estimate->fill_rate));
  }
}

TEST_CASE("the ensemble's interval is wider than that of these filters where filters differ",
          "[analysis][statistics]") {
  // m = 8000: filters differ by about 4 %, a hundred thousand queries resolve about 1 %.
  const auto experiment = synthetic::experiment({.m = {8000}, .k = {7}, .trials = 20});
  const Estimate& estimate = *experiment.measurements.front().estimate;
  const auto width = [](const auto& interval) { return interval.high - interval.low; };
  CHECK(width(estimate.rate.interval) > 1.3 * width(estimate.these_filters.interval));
}

TEST_CASE("counts drawn from theory raise no flag", "[analysis][flags]") {
  // Holm at 0.01: a right program fails this with probability 0.01 a seed; the seeds are fixed.
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    const auto experiment = synthetic::experiment(wide_plan(seed));
    CHECK(experiment.flags.tests == 80);
    CHECK(experiment.flags.flagged.empty());
    CHECK(experiment.flags.as_expected());
  }
}

TEST_CASE("a rate that is ten per cent too high is flagged, and nothing else",
          "[analysis][flags]") {
  auto plan = wide_plan(21);
  plan.factor = [](const Json& cell) { return is_injected(cell) ? 1.10 : 1.0; };
  const auto experiment = synthetic::experiment(plan);
  REQUIRE(experiment.flags.flagged.size() == 1);
  const FlaggedCell& flag = experiment.flags.flagged.front();
  CHECK(is_injected(flag.cell));
  CHECK(flag.test.name == "rate");
  CHECK(flag.test.z > 4);
  CHECK(flag.test.adjusted_p <= thresholds::family_alpha);
  CHECK(flag.test.adjusted_p > flag.test.p_value);
  CHECK_FALSE(experiment.flags.as_expected());
}

TEST_CASE("a fault of the insert side is flagged by the fill", "[analysis][flags]") {
  auto plan = wide_plan(22);
  plan.excess = [](const Json& cell) { return is_injected(cell) ? 2.0 : 0.0; };
  const auto experiment = synthetic::experiment(plan);
  bool fill_flagged = false;
  for (const FlaggedCell& flag : experiment.flags.flagged) {
    CHECK(is_injected(flag.cell));
    fill_flagged = fill_flagged || flag.test.name == "fill";
  }
  CHECK(fill_flagged);
}

TEST_CASE("the fill is tested for independent probes only", "[analysis][statistics]") {
  const auto experiment = synthetic::experiment({.probe = "double_hashing"});
  for (const Measurement& m : experiment.measurements) {
    CHECK_FALSE(m.estimate->fill_test);
    CHECK_FALSE(m.estimate->fill_is_estimate);
    CHECK(m.estimate->rate_test);
  }
  CHECK(experiment.flags.tests == experiment.measurements.size());
}

TEST_CASE("a cell with few hits is labelled fill-based only", "[analysis][statistics]") {
  const auto many = synthetic::experiment({.m = {10000}, .k = {3}, .trials = 20});
  CHECK_FALSE(many.measurements.front().estimate->fill_based_only);
  const auto few = synthetic::experiment({.m = {20000}, .k = {7}, .trials = 2, .queries = 1000});
  CHECK(few.measurements.front().estimate->fill_based_only);
  CHECK(few.measurements.front().estimate->detectable > thresholds::fill_only_effect);
}

TEST_CASE("more tests in the family make each one see less", "[analysis][statistics]") {
  const auto alone = synthetic::experiment({.m = {8000}, .k = {4}});
  const auto among = synthetic::experiment({.m = {4000, 5000, 6000, 8000}, .k = {1, 2, 3, 4}});
  CHECK(among.measurements.back().estimate->detectable >
        alone.measurements.front().estimate->detectable);
}

TEST_CASE("an expected flag is accepted, one that is not seen is reported", "[analysis][flags]") {
  auto plan = wide_plan(21);
  plan.factor = [](const Json& cell) { return is_injected(cell) ? 1.10 : 1.0; };
  const Json entry = {{"cell", Json{{"filter", Json{{"m", 8000}, {"k", 4}}}}},
                      {"test", "rate"},
                      {"reason", "injected"}};
  SECTION("expected and seen") {
    plan.expected_flags = Json::array({entry});
    const auto experiment = synthetic::experiment(plan);
    CHECK(experiment.flags.as_expected());
    REQUIRE(experiment.flags.flagged.size() == 1);
    CHECK(experiment.flags.flagged[0].expected->reason == "injected");
  }
  SECTION("expected of the wrong test") {
    Json wrong = entry;
    wrong["test"] = "fill";
    plan.expected_flags = Json::array({wrong});
    const auto experiment = synthetic::experiment(plan);
    CHECK_FALSE(experiment.flags.as_expected());
    CHECK(experiment.flags.unseen.size() == 1);
    CHECK_FALSE(experiment.flags.flagged[0].expected);
  }
  SECTION("expected and not seen") {
    plan.factor = [](const Json&) { return 1.0; };
    plan.expected_flags = Json::array({entry});
    const auto experiment = synthetic::experiment(plan);
    CHECK(experiment.flags.flagged.empty());
    REQUIRE(experiment.flags.unseen.size() == 1);
    CHECK_FALSE(experiment.flags.as_expected());
  }
}

TEST_CASE("flags() names the cells for a confirmation run", "[analysis][flags]") {
  auto plan = wide_plan(21);
  plan.factor = [](const Json& cell) { return is_injected(cell) ? 1.10 : 1.0; };
  const auto file = synthetic::results(plan);
  const auto flagged = flags_of(file);
  REQUIRE(flagged.size() == 1);
  CHECK(flagged[0].cell == synthetic::standard_cell(1000, 8000, 4, "independent"));
}

TEST_CASE("flags are the same whether cells are kept or pass by", "[analysis][flags]") {
  auto plan = wide_plan(21);
  plan.factor = [](const Json& cell) { return cell.at("filter").at("k") < 4 ? 1.05 : 1.0; };
  plan.expected_flags = Json::array({Json{{"cell", {{"filter", {{"k", 1}, {"m", 4000}}}}},
                                          {"test", "rate"},
                                          {"reason", "a known fault"}}});
  const auto file = synthetic::results(plan);
  const auto kept =
      analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}}).flags.flagged;
  REQUIRE(kept.size() > 3);
  for (const std::size_t at_once : {1U, 7U, 4096U}) {
    const auto passed = flags_of(file, at_once);
    REQUIRE(passed.size() == kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      CHECK(passed[i].cell == kept[i].cell);
      CHECK(passed[i].test.name == kept[i].test.name);
      CHECK(passed[i].test.adjusted_p == kept[i].test.adjusted_p);
      CHECK(passed[i].expected.has_value() == kept[i].expected.has_value());
    }
  }
  CHECK(std::ranges::count_if(kept, [](const auto& flag) { return flag.expected.has_value(); }) ==
        1);
}

TEST_CASE("a malformed expectation is bad input", "[analysis][flags]") {
  const Json config = {
      {"expected_flags",
       Json::array({Json{{"cell", Json::object()}, {"test", "speed"}, {"reason", "none"}}})}};
  CHECK_THROWS_WITH(expected_flags(config, "r.json"),
                    Catch::StartsWith("r.json: /config/expected_flags/0/test: "));
  CHECK(expected_flags(Json::object(), "r.json").empty());
}

TEST_CASE("filters without a hit agree with a rate that is far below what was asked",
          "[analysis][flags]") {
  // Theory gives these filters a rate and no spread, and the counts show none.
  const auto flagged = [](std::uint64_t fingerprint_bits, std::uint64_t queries) {
    auto file = synthetic::results({.m = {8000}, .k = {3}, .trials = 10, .queries = queries});
    bloomlab::tests::edit_each(file.observations, [&](auto& observation) {
      observation.cell["filter"] = {{"kind", "xor_filter"}, {"fingerprint_bits", fingerprint_bits}};
      observation.measured["false_positives"] = 0;
      observation.measured["true_negatives"] = queries;
    });
    return flags_of(file).size();
  };
  CHECK(flagged(32, 1000) == 0);   // 2e-6 hits expected
  CHECK(flagged(8, 100000) == 1);  // 3906 hits expected
}
