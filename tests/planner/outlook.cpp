// The years of a filter that grows, and the levels of an LSM tree.

#include "planner/outlook.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/standard.hpp"
#include "record/input_error.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

TEST_CASE("growth is read by the year and by the month", "[planner][growth]") {
  CHECK(parse_growth("--growth", "50%/year") == 1.5);
  CHECK(parse_growth("--growth", "2x/year") == 2.0);
  CHECK(parse_growth("--growth", "1%/month") == Approx(std::pow(1.01, 12)));
  for (const char* text : {"50%", "/year", "%/year", "50/year", "0%/year", "0.5x/year", "5%/week",
                           "1e3%/year", "1..5x/year", ""}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_growth("--growth", text), record::InputError);
  }
}

TEST_CASE("a budget lasts until one key more breaks the rate", "[planner][growth]") {
  const Plan made = plan({.n = 10'000'000, .p = 0.01, .m = 536'870'912});
  const GrowthPlan growth = growth_plan(made, 1.5, 12);
  CHECK(theory::exact_fpr(made.m, growth.last_keys, made.k) <= 0.01);
  CHECK(theory::exact_fpr(made.m, growth.last_keys + 1, made.k) > 0.01);
  CHECK(10e6 * std::pow(1.5, growth.years) == Approx(static_cast<double>(growth.last_keys)));
  CHECK(growth.best_last_keys > growth.last_keys);  // k = 37 is best for 10 M keys only
  CHECK(theory::exact_fpr(made.m, growth.best_last_keys, growth.best_k) <= 0.01);
  REQUIRE(growth.table.size() == 13);
  for (const GrowthYear& year : growth.table) {
    CAPTURE(year.year);
    const bool lasts = static_cast<double>(year.year) <= growth.years;
    CHECK((year.kept_rate <= 0.01) == lasts);
    CHECK(year.folded_rate <= 0.01);
    CHECK(year.folded_rate == theory::exact_fpr(year.folded_bits, year.n, growth.large_k));
    // No further fold would keep p.
    if (year.folded_bits % 128 == 0) {
      CHECK(theory::exact_fpr(year.folded_bits / 2, year.n, growth.large_k) > 0.01);
    }
    CHECK(growth.large_bits % year.folded_bits == 0);
  }
  CHECK(growth.table[2].n == 22'500'000);
  CHECK(growth.table[0].scalable_layers == 1);
  CHECK(growth.table[12].scalable_bits > growth.table[12].rebuilt_bits);
}

TEST_CASE("a filter without room lasts no time", "[planner][growth]") {
  const GrowthPlan growth = growth_plan(plan({.n = 100'000, .p = 0.01}), 1.5, 1);
  CHECK(growth.years < 0.001);
  CHECK(growth.table[1].kept_rate > 0.05);
}

TEST_CASE("the best split over levels reads less than the equal one", "[planner][levels]") {
  // The smallest level is 1/111111 of n: real bits give p_i = c n_i, all below 1.
  const LsmSplit split = lsm_split(1'111'110'000, 11'111'100'000, 6, 10);
  REQUIRE(split.levels.size() == 6);
  CHECK(split.levels.back().n == 1'000'000'000);
  CHECK(split.equal_reads == Approx(6 * 0.00819).epsilon(0.01));
  CHECK(split.best_reads < 0.32 * split.equal_reads);
  std::uint64_t bits = 0;
  for (const LsmLevel& level : split.levels) bits += level.best_bits;
  CHECK(bits <= 11'111'100'000);
  CHECK(bits >= 11'111'100'000 - 12);
  for (std::size_t i = 1; i < 6; ++i) {
    CHECK(split.levels[i].best_rate / split.levels[i - 1].best_rate == Approx(10.0).epsilon(0.06));
  }
  CHECK(split.bits_for_equal_reads < 11'111'100'000);
  const LsmSplit same = lsm_split(1'111'110'000, split.bits_for_equal_reads, 6, 10);
  CHECK(same.best_reads == Approx(split.equal_reads).epsilon(0.03));
}

TEST_CASE("no other split of real bits has fewer reads", "[planner][levels]") {
  const LsmSplit split = lsm_split(1'110'000, 5'550'000, 3, 10);
  // Moving bits between two levels either way, at the rates of real k.
  const auto reads = [&](double moved) {
    double sum = 0.0;
    double sign = 1.0;
    for (std::size_t i = 1; i < 3; ++i, sign = -1.0) {
      const auto n = static_cast<double>(split.levels[i].n);
      const double bits = static_cast<double>(split.levels[i].best_bits) + sign * moved;
      sum += std::exp(-bits / n * std::log(2.0) * std::log(2.0));
    }
    return sum;
  };
  CHECK(reads(0.0) < reads(20'000.0));
  CHECK(reads(0.0) < reads(-20'000.0));
}

TEST_CASE("levels with few bits have no filter at the largest", "[planner][levels]") {
  const LsmSplit split = lsm_split(1'111'000, 500'000, 4, 10);
  CHECK(split.levels.back().best_bits == 0);
  CHECK(split.levels.back().best_rate == 1.0);
  CHECK(split.best_reads < split.equal_reads);
  CHECK_THROWS_AS(lsm_split(1000, 10'000, 10, 10), record::InputError);
}
