// Two folders against each other: what was put in is found, and nothing else.
#include <catch2/catch.hpp>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/noise_floor.hpp"
#include "record/input_error.hpp"
#include "simulated_runs.hpp"

using namespace bloomlab::analysis;
using bloomlab::analysis::compare::Comparison;
using bloomlab::analysis::compare::FailOn;
using bloomlab::analysis::compare::Pairing;

namespace {

/// Two folders and what was found; the folders outlive it.
struct Compared {
  std::vector<ResultSet> first;
  std::vector<ResultSet> second;
  Pairing pairing;
  Comparison comparison;

  Compared(std::vector<ResultSet> a, std::vector<ResultSet> b)
      : first(std::move(a)),
        second(std::move(b)),
        pairing(compare::pair_up(first, second)),
        comparison(compare::compare_pairs(pairing)) {}

  [[nodiscard]] bool fails(const std::string& limits) const {
    return compare::fails(comparison, compare::parse_fail_on(limits));
  }
};

}  // namespace

TEST_CASE("two runs of the same thing differ in nothing beyond chance", "[analysis][compare]") {
  // Twenty comparisons of twelve rates and seven durations each: any false alarm has a probability
  // of at most 1 % in each; four or more among twenty of 4e-5.
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Compared compared(
        {simulated::rates(seed), simulated::speeds({.seed = seed})},
        {simulated::rates(100 + seed), simulated::speeds({.seed = 100 + seed})});
    REQUIRE(compared.comparison.rates.size() == 12);
    REQUIRE(compared.comparison.times.size() == 7);  // six cells, and all of them together
    alarms += compared.comparison.changed_rates() + compared.comparison.changed_times() > 0 ? 1 : 0;
  }
  CHECK(alarms < 4);
}

TEST_CASE("a rate changed by one in a hundred and a slowdown by one in ten are both found",
          "[analysis][compare]") {
  const Compared compared(
      {simulated::rates(1), simulated::speeds({.seed = 1})},
      {simulated::rates(2, 1.01), simulated::speeds({.seed = 2, .factor = 1.1})});
  const Comparison& comparison = compared.comparison;
  CHECK(comparison.changed_rates() == 12);
  CHECK(comparison.changed_times() == 7);
  CHECK(comparison.detectable_rate < 0.01);
  for (const auto& rate : comparison.rates) {
    CHECK(rate.change.method == bloomlab::statistics::RateMethod::welch);
    CHECK(rate.change.ratio == Approx(1.01).margin(0.005));
  }
  for (const auto& time : comparison.times) {
    CHECK(time.ratio == Approx(1.1).margin(0.04));
    CHECK(time.noise_floor < 1.05);
  }
  CHECK(compared.fails("rate:0.01,time:5%"));
  CHECK(compared.fails("rate:1%"));
  CHECK(compared.fails("time:0.05"));
  // Beyond chance, and too small for these limits.
  CHECK_FALSE(compared.fails("rate:10%,time:50%"));
  CHECK_FALSE(compare::fails(comparison, FailOn{}));
}

TEST_CASE("a rate fails in either direction, a duration only where it is slower",
          "[analysis][compare]") {
  const Compared compared(
      {simulated::rates(1), simulated::speeds({.seed = 1})},
      {simulated::rates(2, 0.97), simulated::speeds({.seed = 2, .factor = 0.8})});
  CHECK(compared.comparison.changed_rates() == 12);
  CHECK(compared.comparison.changed_times() == 7);
  CHECK(compared.fails("rate:0.02"));
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("equal counts of equal seeds are told without a test", "[analysis][compare]") {
  const Compared compared({simulated::rates(1)}, {simulated::rates(1)});
  CHECK(compared.comparison.rates.empty());
  CHECK(compared.comparison.files.front().equal_counts == 12);
  CHECK_FALSE(compared.fails("rate:0.0001"));
}

TEST_CASE("a change of the same filters is found though filters differ by more",
          "[analysis][compare]") {
  ResultSet changed = simulated::rates(1);
  for (auto& observation : changed.file.observations) {
    auto& hits = observation.measured.at("false_positives");
    auto& misses = observation.measured.at("true_negatives");
    const std::uint64_t added = hits.get<std::uint64_t>() / 1000;
    hits = hits.get<std::uint64_t>() + added;
    misses = misses.get<std::uint64_t>() - added;
  }
  const Compared compared({simulated::rates(1)}, {changed});
  CHECK(compared.comparison.changed_rates() == 12);
  CHECK(compared.comparison.rates.front().change.method ==
        bloomlab::statistics::RateMethod::paired);
  CHECK(compared.fails("rate:0.001"));
  CHECK_FALSE(compared.fails("rate:0.01"));
}

TEST_CASE("counts that are no rates are told where seeds are equal", "[analysis][compare]") {
  ResultSet changed = simulated::rates(1);
  auto& bits = changed.file.observations.front().measured.at("bits_set");
  bits = bits.get<std::uint64_t>() + 1;
  const Compared compared({simulated::rates(1)}, {changed});
  CHECK(compared.comparison.rates.empty());
  CHECK(compared.comparison.files.front().equal_counts == 11);
  REQUIRE(compared.comparison.files.front().other_counts.size() == 1);
}

TEST_CASE("cells and files of one folder alone are named", "[analysis][compare]") {
  ResultSet less = simulated::rates(2);
  std::erase_if(less.file.observations, [](const auto& observation) {
    return observation.cell.at("filter").at("k") == 3 &&
           observation.cell.at("filter").at("m") == 700'000;
  });
  const Compared compared({simulated::rates(1), simulated::speeds({})}, {less});
  const auto& files = compared.pairing.files.front();
  REQUIRE(files.only_first.size() == 1);
  CHECK(files.only_first.front().at("filter").at("m") == 700'000);
  CHECK(files.only_second.empty());
  CHECK(compared.pairing.cells() == 11);
  CHECK(compared.pairing.stems_only_first == std::vector<std::string>{"speeds"});
  CHECK(compared.pairing.stems_only_second.empty());
}

TEST_CASE("cells are matched by what they say, not by the order of their members",
          "[analysis][compare]") {
  ResultSet turned = simulated::rates(2);
  for (auto& observation : turned.file.observations) {
    observation.cell = Json(nlohmann::json(observation.cell));
  }
  const Compared compared({simulated::rates(1)}, {turned});
  CHECK(compared.pairing.cells() == 12);
  CHECK(compared.pairing.files.front().only_second.empty());
}

TEST_CASE("a slowdown of all cells that hides in each is found in all together",
          "[analysis][compare]") {
  // Launches that differ by 8 %: 10 % more is 1.3 standard deviations in one cell, and more than
  // five in the mean over twenty cells.
  const auto noisy = [](std::uint64_t seed, double factor) {
    return simulated::speeds(
        {.seed = seed, .cells = 20, .launches = 12, .noise = 0.08, .factor = factor});
  };
  const Compared compared({noisy(1, 1.0)}, {noisy(2, 1.1)});
  const auto& first = compared.comparison.times.front();
  CHECK(first.changed);
  CHECK(first.cell.is_null());
  CHECK(first.ratio == Approx(1.1).margin(0.03));
  CHECK(compared.fails("time:5%"));
  CHECK(Compared({noisy(1, 1.0)}, {noisy(2, 1.0)}).comparison.changed_times() == 0);
}

TEST_CASE("too few launches are told and not judged", "[analysis][compare]") {
  const Compared compared({simulated::speeds({.seed = 1, .launches = 9})},
                          {simulated::speeds({.seed = 2, .launches = 9, .factor = 3.0})});
  CHECK(compared.comparison.times.empty());
  const auto& times = compared.comparison.files.front().times;
  CHECK_FALSE(times.within_one_process);
  CHECK(times.indicative.at("negative").size() == 6);
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("durations of trials within one process never fail", "[analysis][compare]") {
  ResultSet slower = simulated::rates(2);
  for (auto& observation : slower.file.observations) observation.timing["insert_ns"] = 5000;
  const Compared compared({simulated::rates(1)}, {slower});
  CHECK(compared.comparison.times.empty());
  const auto& times = compared.comparison.files.front().times;
  CHECK(times.within_one_process);
  CHECK(times.indicative.at("insert").front() == Approx(5.0));
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("a machine that is slower in all is no change of the program", "[analysis][compare]") {
  // The loops that every launch times beside what it measures are slower by as much.
  ResultSet slower = simulated::speeds({.seed = 2, .factor = 1.2});
  for (auto& observation : slower.file.observations) {
    observation.timing["alu_ns"] = Json::array({1'250'000, 1'250'000});
  }
  const Compared compared({simulated::speeds({.seed = 1})}, {slower});
  CHECK(compared.comparison.files.front().times.machine == Approx(1.25));
  CHECK(compared.comparison.changed_times() == 0);
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("what lies within the noise of a run's own halves is no change", "[analysis][compare]") {
  // Launches that differ by 30 %: halves of fifteen lie further apart than 10 %.
  const Compared compared({simulated::speeds({.seed = 1, .launches = 200, .noise = 0.3})},
                          {simulated::speeds({.seed = 2, .launches = 200, .noise = 0.3})});
  for (const auto& time : compared.comparison.times) CHECK(time.noise_floor > 1.03);
  CHECK(compared.comparison.changed_times() == 0);
}

TEST_CASE("the noise floor is the stated quantile of ratios of halves", "[analysis][compare]") {
  CHECK(compare::noise_floor({}) == 1.0);
  std::vector<double> ratios;
  for (int i = 1; i <= 100; ++i) ratios.push_back(1.0 + i / 100.0);
  CHECK(compare::noise_floor(ratios) == Approx(1.95));
  // Halves of {1, 1, 3, 3}: alike, or 1 against 3, or 1 against the mean of both.
  const std::vector<std::vector<double>> lists = {{1.0, 1.0, 3.0, 3.0}, {1.0, 2.0, 3.0}};
  const auto found = compare::half_ratios(lists);
  CHECK(found.size() == static_cast<std::size_t>(compare::halvings));
  for (const double ratio : found) CHECK((ratio == 1.0 || ratio == 3.0));
  CHECK(found == compare::half_ratios(lists));
}

TEST_CASE("many tests of few launches are called mute", "[analysis][compare]") {
  // Two of 184756 arrangements have no overlap: 1.1e-5, and alpha over 1000 tests is 1e-5.
  const auto speeds = [](std::uint64_t seed) {
    return simulated::speeds({.seed = seed, .cells = 1000, .launches = 10});
  };
  CHECK(Compared({speeds(1)}, {speeds(2)}).comparison.times_are_mute);
  CHECK_FALSE(Compared({simulated::speeds({.seed = 1})}, {simulated::speeds({.seed = 2})})
                  .comparison.times_are_mute);
}

TEST_CASE("the limits of --fail-on are parts or per cent", "[analysis][compare]") {
  const FailOn both = compare::parse_fail_on("time:5%,rate:0.01");
  CHECK(*both.rate == Approx(0.01));
  CHECK(*both.time == Approx(0.05));
  const FailOn one = compare::parse_fail_on("rate:1e-3");
  CHECK(*one.rate == Approx(0.001));
  CHECK_FALSE(one.time);
}

TEST_CASE("a --fail-on that says nothing is refused in one line", "[analysis][compare][errors]") {
  const std::string allowed =
      "; allowed: rate:X,time:Y or one of the two, X and Y relative sizes above 0 such as 0.01 or "
      "5%";
  const auto complaint = [](const std::string& text) {
    try {
      (void)compare::parse_fail_on(text);
      return std::string("none");
    } catch (const bloomlab::record::InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK(complaint("speed:5%") ==
        "--fail-on: found \"speed:5%\": \"speed:5%\" names neither rate nor time" + allowed);
  CHECK(complaint("rate:0.01,") ==
        "--fail-on: found \"rate:0.01,\": \"\" names neither rate nor time" + allowed);
  CHECK(complaint("rate:0.01,rate:2%") ==
        "--fail-on: found \"rate:0.01,rate:2%\": \"rate:2%\" comes after another of its kind" +
            allowed);
  for (const std::string size : {"", "x", "0", "-1%", "5%%", "nan", "inf", "1e9"}) {
    CHECK(complaint("time:" + size) == "--fail-on: found \"time:" + size + "\": \"time:" + size +
                                           "\" gives no such size" + allowed);
  }
}

TEST_CASE("a count that is none is refused with file and cell", "[analysis][compare][errors]") {
  ResultSet broken = simulated::rates(2);
  broken.file.observations.front().measured["false_positives"] = -1;
  CHECK_THROWS_WITH(Compared({simulated::rates(1)}, {broken}),
                    Catch::StartsWith("rates.json: cell {") &&
                        Catch::Contains("/measured/false_positives: found -1, allowed: a whole"));
}
