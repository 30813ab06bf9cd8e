#include "planner/consequences.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/filters/scalable.hpp"
#include "core/theory/standard.hpp"
#include "planner/curves.hpp"

using namespace bloomlab;
using namespace bloomlab::planner;

TEST_CASE("one per cent more keys raise a rate of one in a thousand by seven per cent",
          "[planner][sensitivity]") {
  const Plan made = plan({.n = 1'000'000, .p = 0.001});
  const Sensitivity sensitivity = sensitivity_of(made);
  REQUIRE(sensitivity.shifts.size() == 8);
  CHECK(sensitivity.shifts[0].change == "n + 1 %");
  CHECK(sensitivity.shifts[0].ratio == Approx(1.071).margin(0.002));
  CHECK(sensitivity.elasticity == Approx(10 * std::log(2.0)).epsilon(0.01));
  for (const Shift& shift : sensitivity.shifts) {
    CAPTURE(shift.change);
    CHECK(shift.rate == theory::exact_fpr(shift.m, shift.n, shift.k));
    CHECK(shift.ratio == shift.rate / made.rate);
  }
}

TEST_CASE("the headroom ends where the rate passes its bound", "[planner][sensitivity]") {
  const Plan made = plan({.n = 5000, .p = 0.01});
  const Sensitivity sensitivity = sensitivity_of(made);
  CHECK(sensitivity.most_keys >= 5000);
  for (const auto& [keys, bound] : {std::pair{sensitivity.most_keys, 0.01},
                                    std::pair{sensitivity.most_keys_at_twice_the_rate, 0.02},
                                    std::pair{sensitivity.most_keys_at_ten_times_the_rate, 0.1}}) {
    CHECK(theory::exact_fpr(made.m, keys, made.k) <= bound);
    CHECK(theory::exact_fpr(made.m, keys + 1, made.k) > bound);
  }
}

TEST_CASE("the memory of a filter that has grown is that of all its layers",
          "[planner][sensitivity]") {
  const Plan made = plan({.n = 5000, .p = 0.01});
  const Sensitivity sensitivity = sensitivity_of(made);
  REQUIRE(sensitivity.growth.size() == 5);
  const Scalable::Parameters started{
      .target = 0.01, .tightening = 0.85, .growth = 2, .first_capacity = 5000};
  for (const Growth& row : sensitivity.growth) {
    CAPTURE(row.factor);
    CHECK(row.n == static_cast<std::uint64_t>(row.factor * 5000.0));
    CHECK(row.plain_bits == plan({.n = row.n, .p = 0.01}).memory_bits);
    CHECK(row.scalable_bits == Scalable::memory_bits(started, row.n));
    CHECK(row.scalable_bits > row.plain_bits);
    if (row.scalable_less_up_to > 0) {
      CHECK(Scalable::memory_bits(started, row.scalable_less_up_to) < row.plain_bits);
    }
    CHECK(Scalable::memory_bits(started, row.scalable_less_up_to + 1) >= row.plain_bits);
  }
  CHECK(sensitivity.growth[0].layers == 1);
  CHECK(sensitivity.growth[3].layers == 2);
  CHECK(sensitivity.growth[4].scalable_less_up_to > 5000);
}

TEST_CASE("where one per cent of the keys is no key, whole keys are named",
          "[planner][sensitivity]") {
  const auto changes = [](std::uint64_t n) {
    std::vector<std::string> names;
    for (const Shift& shift : sensitivity_of(plan({.n = n, .p = 0.01})).shifts) {
      if (shift.change.starts_with("n + ")) names.push_back(shift.change);
    }
    return names;
  };
  CHECK(changes(1) == std::vector<std::string>{"n + 1"});
  CHECK(changes(9) == std::vector<std::string>{"n + 1"});
  CHECK(changes(100) == std::vector<std::string>{"n + 1 %", "n + 10 %"});
  CHECK(changes(150) == std::vector<std::string>{"n + 2", "n + 10 %"});
}

TEST_CASE("a size that is a power of two is not rounded to another one", "[planner][sensitivity]") {
  for (const Shift& shift : sensitivity_of(plan({.n = 100, .m = 1024})).shifts) {
    CHECK(shift.change.find("power of two") == std::string::npos);
  }
}

TEST_CASE("a filter pays while its time is below that of the reads it saves",
          "[planner][break-even]") {
  const Plan made = plan({.n = 10'000'000, .p = 0.01});
  StoreCosts costs{.miss_cost_ns = 5e6, .filter_cost_ns = 100.0, .hit_ratio = 0.3};
  costs.lookups_per_second = 20000.0;
  const BreakEven result = break_even(made.n, made.rate, costs);
  CHECK(result.pays);
  CHECK(result.without_filter_ns == 5e6);
  CHECK(result.with_filter_ns == Approx(100.0 + (0.3 + 0.7 * made.rate) * 5e6));
  CHECK(*result.store_lookups_saved_per_second == Approx(20000.0 * 0.7 * (1.0 - made.rate)));
  CHECK(*result.store_seconds_saved_per_second == Approx(14000.0 * (1.0 - made.rate) * 5e-3));
  CHECK_FALSE(result.best_bits_per_key);
  // At the break-even hit ratio both ways cost the same.
  costs.hit_ratio = result.break_even_hit_ratio;
  const BreakEven even = break_even(made.n, made.rate, costs);
  CHECK(even.with_filter_ns == Approx(even.without_filter_ns));
  costs.hit_ratio = 1.0;
  CHECK_FALSE(break_even(made.n, made.rate, costs).pays);
  costs = {.miss_cost_ns = 50.0, .filter_cost_ns = 100.0, .hit_ratio = 0.0};
  CHECK_FALSE(break_even(made.n, made.rate, costs).pays);
  CHECK(break_even(made.n, made.rate, costs).break_even_hit_ratio == 0.0);
  // A filter that stops half of the absent keys saves half of their reads.
  const Plan half = plan({.n = 1000, .p = 0.5});
  costs = {.miss_cost_ns = 100.0, .filter_cost_ns = 60.0, .hit_ratio = 0.0};
  CHECK_FALSE(break_even(half.n, half.rate, costs).pays);
  costs.filter_cost_ns = 40.0;
  CHECK(break_even(half.n, half.rate, costs).pays);
}

TEST_CASE("the best size is the minimum of reads and memory together", "[planner][break-even]") {
  const Plan made = plan({.n = 1'000'000, .p = 0.01});
  for (const double price : {1e-13, 1e-11, 1e-9, 1e-7}) {
    CAPTURE(price);
    StoreCosts costs{.miss_cost_ns = 1e6, .filter_cost_ns = 50.0, .hit_ratio = 0.5};
    costs.lookups_per_second = 1e4;
    costs.price_per_bit = price;
    const BreakEven result = break_even(made.n, made.rate, costs);
    const double worth = 1e4 * 0.5 * 1e-3 / 1e6;
    const auto real_k = [&](double bits) {
      return worth * std::exp(-bits * std::log(2.0) * std::log(2.0)) + price * bits;
    };
    double least = real_k(0.0);
    double least_whole = worth;
    for (double bits = 0.01; bits < 60.0; bits += 0.01) {
      least = std::min(least, real_k(bits));
      for (int k = 1; k < 45; ++k) {
        least_whole =
            std::min(least_whole, worth * std::pow(-std::expm1(-k / bits), k) + price * bits);
      }
    }
    CHECK(real_k(*result.best_bits_per_key) == Approx(least).epsilon(1e-5));
    const double bits = *result.best_bits_per_key_whole_k;
    const auto k = static_cast<double>(*result.best_k);
    const double found =
        bits > 0.0 ? worth * std::pow(-std::expm1(-k / bits), k) + price * bits : worth;
    CHECK(found == Approx(least_whole).epsilon(1e-4));
  }
}

TEST_CASE("the plan's charts have rising places and rates to draw, for the smallest plan too",
          "[planner][figures]") {
  for (const auto& request : {Request{.n = 100'000, .p = 0.001}, Request{.n = 1, .p = 0.5},
                              Request{.n = 1'000'000'000'000, .p = 1e-9}}) {
    const Plan made = plan(request);
    const auto charts = rate_charts(made);
    REQUIRE(charts.size() == 3);
    CHECK(charts[0].name == "plan_rate_by_n");
    CHECK(charts[1].name == "plan_rate_by_m");
    CHECK(charts[2].name == "plan_rate_by_k");
    for (const auto& chart : charts) {
      CAPTURE(chart.name);
      REQUIRE_FALSE(chart.curves.empty());
      for (const Curve& curve : chart.curves) {
        REQUIRE(curve.points.size() > 1);
        CHECK(curve.points.front().first <= chart.planned);
        CHECK(curve.points.back().first >= chart.planned);
        CHECK(std::is_sorted(curve.points.begin(), curve.points.end()));
        CHECK(curve.points.front().second > 0);
        CHECK(curve.points.back().second <= 1);
      }
    }
  }
}
