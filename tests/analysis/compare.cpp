// Two folders against each other: what was put in is found, and nothing else.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/compare/comparison.hpp"
#include "record/input_error.hpp"
#include "simulated_runs.hpp"
#include "tests/edit.hpp"

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
  bloomlab::tests::edit_each(changed.file.observations, [&](auto& observation) {
    auto& hits = observation.measured.at("false_positives");
    auto& misses = observation.measured.at("true_negatives");
    const std::uint64_t added = hits.template get<std::uint64_t>() / 1000;
    hits = hits.template get<std::uint64_t>() + added;
    misses = misses.template get<std::uint64_t>() - added;
  });
  const Compared compared({simulated::rates(1)}, {changed});
  CHECK(compared.comparison.changed_rates() == 12);
  CHECK(compared.comparison.rates.front().change.method ==
        bloomlab::statistics::RateMethod::paired);
  CHECK(compared.fails("rate:0.001"));
  CHECK_FALSE(compared.fails("rate:0.01"));
}

TEST_CASE("counts that are no rates are told where seeds are equal", "[analysis][compare]") {
  ResultSet changed = simulated::rates(1);
  bloomlab::tests::edit_at(changed.file.observations, 0, [](auto& observation) {
    auto& bits = observation.measured.at("bits_set");
    bits = bits.template get<std::uint64_t>() + 1;
  });
  const Compared compared({simulated::rates(1)}, {changed});
  CHECK(compared.comparison.rates.empty());
  CHECK(compared.comparison.files.front().equal_counts == 11);
  REQUIRE(compared.comparison.files.front().other_counts.size() == 1);
}

TEST_CASE("cells and files of one folder alone are named", "[analysis][compare]") {
  ResultSet less = simulated::rates(2);
  less.file.observations.erase_if([](const auto& observation) {
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
  bloomlab::tests::edit_each(turned.file.observations, [&](auto& observation) {
    observation.cell = Json(nlohmann::json(observation.cell));
  });
  const Compared compared({simulated::rates(1)}, {turned});
  CHECK(compared.pairing.cells() == 12);
  CHECK(compared.pairing.files.front().only_second.empty());
}

TEST_CASE("a slowdown of all cells that hides in each is found in all together",
          "[analysis][compare]") {
  // Process runs that differ by 8 %: 10 % more is 1.3 standard deviations in one cell, and more
  // than five in the mean over twenty cells.
  const auto noisy = [](std::uint64_t seed, double factor) {
    return simulated::speeds(
        {.seed = seed, .cells = 20, .process_runs = 12, .noise = 0.08, .factor = factor});
  };
  const Compared compared({noisy(1, 1.0)}, {noisy(2, 1.1)});
  const auto& first = compared.comparison.times.front();
  CHECK(first.changed);
  CHECK(first.cell.is_null());
  CHECK(first.ratio == Approx(1.1).margin(0.03));
  CHECK(compared.fails("time:5%"));
  CHECK(Compared({noisy(1, 1.0)}, {noisy(2, 1.0)}).comparison.changed_times() == 0);
}

TEST_CASE("a slowdown of all cells is found though rounds are noisy", "[analysis][compare]") {
  // What the rounds have in common is half of the slowdown; the bracket's loop knows most of it.
  int found = 0;
  double logarithms = 0.0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Compared compared({simulated::speeds(simulated::like_this_machine(seed))},
                            {simulated::speeds(simulated::like_this_machine(100 + seed, 1.1))});
    const auto& first = compared.comparison.times.front();
    CHECK(first.cell.is_null());
    logarithms += std::log(first.ratio);
    found += compared.fails("time:5%") ? 1 : 0;
  }
  CHECK(found >= 9);
  // The loop takes away a twentieth of it where its rounds differ between the runs by chance.
  CHECK(std::exp(logarithms / 10.0) == Approx(1.095).margin(0.015));
}

TEST_CASE("equal runs whose rounds are noisy differ beyond chance no more often than alpha",
          "[analysis][compare]") {
  // Noise lasts for several rounds. Of 200 pairs, 2 at most are expected to show any test
  // beyond alpha: 9 or more have a probability of 2e-4. Of tests of all cells together 4.3 % are
  // below 0.05, as their law has steps: 9 of 200, and 21 or more with 2e-4; of tests that leave
  // the loop aside, 40.
  int pairs_with_alarms = 0;
  int changes = 0;
  int below = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto run = [](std::uint64_t number) {
      // A quarter of the cells with half of the noise: the same noise of a round, in less time.
      simulated::ProcessRuns plan = simulated::like_this_machine(number);
      plan.cells = 12;
      plan.noise = 0.08;
      plan.loop_noise = 0.225;
      plan.persistence = 0.5;
      return simulated::speeds(plan);
    };
    const Compared compared({run(seed)}, {run(1000 + seed)});
    bool alarm = false;
    for (const auto& time : compared.comparison.times) {
      alarm = alarm || time.adjusted_p <= compared.comparison.alpha;
      below += time.is_of_all_cells() && time.p_value <= 0.05 ? 1 : 0;
    }
    pairs_with_alarms += alarm ? 1 : 0;
    changes += compared.comparison.changed_times() > 0 ? 1 : 0;
  }
  CHECK(pairs_with_alarms < 9);
  CHECK(changes <= pairs_with_alarms);
  CHECK(below >= 1);
  CHECK(below < 21);
}

TEST_CASE("even process runs of a run against odd ones show no change", "[analysis][compare]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    simulated::ProcessRuns plan = simulated::like_this_machine(seed);
    plan.process_runs = 20;
    const ResultSet whole = simulated::speeds(plan);
    const auto process_runs_of = [&](std::uint64_t parity) {
      ResultSet half = whole;
      half.file.observations.erase_if(
          [&](const auto& observation) { return observation.trial % 2 != parity; });
      bloomlab::tests::edit_each(half.file.observations,
                                 [&](auto& observation) { observation.trial /= 2; });
      return half;
    };
    const Compared compared({process_runs_of(0)}, {process_runs_of(1)});
    REQUIRE(compared.comparison.times.size() == 49);
    CHECK(compared.comparison.changed_times() == 0);
    CHECK_FALSE(compared.fails("time:1%"));
  }
}

TEST_CASE("a run on a noisy machine is no change of the program", "[analysis][compare]") {
  // All durations are 10 % longer, and the loop of random lines knows why.
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    simulated::ProcessRuns noisy = simulated::like_this_machine(100 + seed);
    noisy.run_noise = 0.1;
    const Compared compared({simulated::speeds(simulated::like_this_machine(seed))},
                            {simulated::speeds(noisy)});
    CHECK(compared.comparison.changed_times() == 0);
    for (const auto& time : compared.comparison.times) {
      if (time.is_of_all_cells()) CHECK(time.explained > 1.04);
    }
  }
}

TEST_CASE("all durations of all cells are a row of their own", "[analysis][compare]") {
  const auto run = [](std::uint64_t seed, double factor) {
    return simulated::speeds({.seed = seed, .factor = factor, .positive = true});
  };
  const Compared compared({run(1, 1.0)}, {run(2, 1.2)});
  const auto& times = compared.comparison.times;
  CHECK(times.size() == 15);  // six cells and all of them, twice, and both durations in one
  const auto all = std::find_if(times.begin(), times.end(), [](const auto& time) {
    return time.name == compare::all_durations;
  });
  REQUIRE(all != times.end());
  CHECK(all->is_of_all_cells());
  CHECK(all->changed);
  CHECK(all->ratio == Approx(1.2).margin(0.02));
  CHECK(all->first_process_runs == 15);
}

TEST_CASE("families of tests share alpha by their parts", "[analysis][compare]") {
  // Process runs without any overlap: two of C(30, 15) arrangements.
  const double least = 2.0 / 155'117'520.0;
  const auto slow = simulated::speeds({.seed = 2, .factor = 1.5});
  const auto together = [](const Compared& compared) {
    const auto& times = compared.comparison.times;
    return *std::find_if(times.begin(), times.end(),
                         [](const auto& time) { return time.is_of_all_cells(); });
  };
  const Compared alone({simulated::speeds({.seed = 1})}, {slow});
  CHECK(together(alone).p_value == Approx(least));
  CHECK(together(alone).adjusted_p == Approx(least / 0.5));
  for (const auto& time : alone.comparison.times) {
    if (!time.is_of_all_cells()) CHECK(time.adjusted_p == Approx(6.0 * least / 0.5));
  }
  const Compared both({simulated::rates(1), simulated::speeds({.seed = 1})},
                      {simulated::rates(2), slow});
  CHECK(together(both).adjusted_p == Approx(least / 0.45));
  for (const auto& time : both.comparison.times) {
    if (!time.is_of_all_cells()) CHECK(time.adjusted_p == Approx(6.0 * least / 0.45));
  }
  const double smallest = both.comparison.rates.front().change.p_value;
  CHECK(both.comparison.rates.front().adjusted_p ==
        Approx(std::min(1.0, 12.0 * smallest / 0.1)).epsilon(1e-9));
}

TEST_CASE("a quiet stratum weighs four times the median one and no more", "[analysis][compare]") {
  // Logarithms of alternating sign: 0.001 in one stratum and 0.1 in two.
  const auto alternating = [](double size) {
    compare::Stratum stratum;
    for (const double sign : {1.0, -1.0}) {
      stratum.first.ns.push_back(5.0 * std::exp(sign * size));
      stratum.second.ns.push_back(5.0 * std::exp(-sign * size));
    }
    return stratum;
  };
  const std::vector<compare::Stratum> strata = {alternating(0.001), alternating(0.1),
                                                alternating(0.1)};
  REQUIRE(compare::have_rounds(strata));
  const auto scores = compare::round_scores(strata);
  const double score = (4.0 * 0.001 + 0.1 + 0.1) / 6.0;
  CHECK(scores.first.at(0) == Approx(score));
  CHECK(scores.first.at(1) == Approx(-score));
  CHECK(scores.second.at(0) == Approx(-score));
  CHECK(scores.explained == 1.0);
  CHECK_FALSE(compare::have_rounds({}));
  auto uneven = strata;
  uneven.back().second.ns.push_back(5.0);
  CHECK_FALSE(compare::have_rounds(uneven));
}

TEST_CASE("what the loop explains is taken out of the rounds", "[analysis][compare]") {
  // Durations follow the square root of the loop, and the second run is slower by a tenth.
  compare::Stratum stratum;
  for (const double line : {2.0, 3.0, 5.0, 4.0}) {
    stratum.first.ns.push_back(std::sqrt(line));
    stratum.second.ns.push_back(1.1 * std::sqrt(line));
    stratum.first.line_ns.push_back(line);
    stratum.second.line_ns.push_back(line);
  }
  const auto scores = compare::round_scores(std::vector<compare::Stratum>{stratum});
  CHECK(scores.explained == Approx(1.0));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(scores.first.at(i) == Approx(-0.5 * std::log(1.1)));
    CHECK(scores.second.at(i) == Approx(0.5 * std::log(1.1)));
  }
  // The loop of the second run four times as long, durations twice: nothing is left.
  for (double& line : stratum.second.line_ns) line *= 4.0;
  stratum.second.ns = stratum.first.ns;
  for (double& ns : stratum.second.ns) ns *= 2.0;
  const auto explained = compare::round_scores(std::vector<compare::Stratum>{stratum});
  CHECK(explained.explained == Approx(2.0));
  for (const double score : explained.second) CHECK(score == Approx(0.0).margin(1e-12));
}

TEST_CASE("a run that drifts has at least its drift for a floor", "[analysis][compare]") {
  std::vector<double> scores;
  for (const double start : {0.0, 0.2}) {
    for (int i = 0; i < 5; ++i) scores.push_back(start + 0.001 * i);
  }
  CHECK(compare::drift(std::vector<std::vector<double>>{scores}) == Approx(std::exp(0.2)));
  CHECK(compare::drift(std::vector<std::vector<double>>{{0.1, 0.2, 0.3}}) == 1.0);
}

TEST_CASE("too few process runs are told and not judged", "[analysis][compare]") {
  const Compared compared({simulated::speeds({.seed = 1, .process_runs = 9})},
                          {simulated::speeds({.seed = 2, .process_runs = 9, .factor = 3.0})});
  CHECK(compared.comparison.times.empty());
  const auto& times = compared.comparison.files.front().times;
  CHECK_FALSE(times.within_one_process);
  CHECK(times.indicative.at("negative").size() == 6);
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("durations of trials within one process never fail", "[analysis][compare]") {
  ResultSet slower = simulated::rates(2);
  bloomlab::tests::edit_each(slower.file.observations,
                             [&](auto& observation) { observation.timing["insert_ns"] = 5000; });
  const Compared compared({simulated::rates(1)}, {slower});
  CHECK(compared.comparison.times.empty());
  const auto& times = compared.comparison.files.front().times;
  CHECK(times.within_one_process);
  CHECK(times.indicative.at("insert").front() == Approx(5.0));
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("a machine that is slower in all is no change of the program", "[analysis][compare]") {
  // The loops that every process run times beside what it measures are slower by as much.
  ResultSet slower = simulated::speeds({.seed = 2, .factor = 1.2});
  bloomlab::tests::edit_each(slower.file.observations, [&](auto& observation) {
    observation.timing["alu_ns"] = Json::array({1'250'000, 1'250'000});
  });
  const Compared compared({simulated::speeds({.seed = 1})}, {slower});
  CHECK(compared.comparison.files.front().times.machine == Approx(1.25));
  CHECK(compared.comparison.changed_times() == 0);
  CHECK_FALSE(compared.fails("time:5%"));
}

TEST_CASE("what lies within the noise of a run's own halves is no change", "[analysis][compare]") {
  // Process runs that differ by 30 %: halves of fifteen lie further apart than 10 %.
  const Compared compared({simulated::speeds({.seed = 1, .process_runs = 200, .noise = 0.3})},
                          {simulated::speeds({.seed = 2, .process_runs = 200, .noise = 0.3})});
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

TEST_CASE("many tests of few process runs are called mute", "[analysis][compare]") {
  // Two of 184756 arrangements have no overlap: 1.1e-5, and alpha over 1000 tests is 1e-5.
  const auto speeds = [](std::uint64_t seed) {
    return simulated::speeds({.seed = seed, .cells = 1000, .process_runs = 10});
  };
  const Compared many({speeds(1)}, {speeds(2)});
  CHECK(many.comparison.cells_are_mute);
  CHECK_FALSE(many.comparison.together_are_mute);
  CHECK_FALSE(Compared({simulated::speeds({.seed = 1})}, {simulated::speeds({.seed = 2})})
                  .comparison.cells_are_mute);
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
  bloomlab::tests::edit(broken.file.observations,
                        [&](auto& list) { list.front().measured["false_positives"] = -1; });
  CHECK_THROWS_WITH(Compared({simulated::rates(1)}, {broken}),
                    Catch::StartsWith("rates.json: cell {") &&
                        Catch::Contains("/measured/false_positives: found -1, allowed: a whole"));
}
