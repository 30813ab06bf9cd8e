// Index families against their own closed form.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/double_hashing.hpp"
#include "core/theory/models.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

/// Double hashing in a filter of 1024 bits whose true rate is `over` times its own exact one.
Experiment small_filter(double over) {
  using bloomlab::theory::evaluate;
  constexpr std::uint64_t m = 1024;
  constexpr std::uint64_t n = 96;
  constexpr std::uint64_t k = 7;
  const double own =
      evaluate({"double_hashing_exact", {{"m", m}, {"n", n}, {"k", k}, {"stride", "any"}}})
          .number();
  const double ideal = evaluate({"standard_exact", {{"m", m}, {"n", n}, {"k", k}}}).number();
  synthetic::Plan plan{.stem = "index_families",
                       .n = n,
                       .m = {m},
                       .k = {k},
                       .trials = 500,
                       .queries = 20000,
                       .seed = 7,
                       .probe = "double_hashing"};
  plan.factor = [=](const Json&) { return over * own / ideal; };
  return synthetic::experiment(plan);
}

}  // namespace

TEST_CASE("double hashing is held against the rate of its own stride", "[analysis][exhibits]") {
  const auto checks = pairs_checks(small_filter(1.0));
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].ideal == Approx(0.006028011353139073).epsilon(1e-12));
  CHECK(checks[0].own == Approx(0.007258131511307191).epsilon(1e-10));
  // A right program leaves its 99 % interval with probability 0.01; fixed seed.
  CHECK(checks[0].inside());
  CHECK(checks[0].detectable < 0.03);
}

TEST_CASE("a rate that its own form does not describe is seen", "[analysis][exhibits]") {
  const auto experiment = small_filter(1.1);
  const auto checks = pairs_checks(experiment);
  REQUIRE(checks.size() == 1);
  CHECK_FALSE(checks[0].inside());
  const Content content = index_families_exhibit(experiment, Words("en"));
  CHECK(content.values.at("inside") == "inside the interval in 0 of 1 cells");
}

TEST_CASE("the confirmation run stands in for the run that it confirms", "[analysis][exhibits]") {
  auto experiment = small_filter(1.0);
  experiment.confirmation = experiment.measurements;
  experiment.measurements.front().trials.resize(2);
  const auto checks = pairs_checks(experiment);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].measured->trials.size() == 500);
}

TEST_CASE("independent positions have no form of their own to check", "[analysis][exhibits]") {
  CHECK(pairs_checks(synthetic::experiment({.m = {1024}, .k = {7}})).empty());
}
