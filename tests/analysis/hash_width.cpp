// The floor of a short hash: predicted, and told from ideal hashing.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t width_keys = 1000000;

/// A filter with a hash of 32 bits and remixed probes whose rate is the ideal one plus `added`.
Content with_excess(double added) {
  synthetic::Plan plan{.stem = "hash_width_floor",
                       .n = width_keys,
                       .m = {10 * width_keys},
                       .k = {7},
                       .trials = 10,
                       .queries = 20000000,
                       .seed = 11};
  auto file = synthetic::results(plan);
  for (auto& observation : file.observations) {
    observation.cell["hash"] =
        Json{{"name", "truncated_32"}, {"probe", "remix"}, {"reduction", "multiply_shift"}};
    auto& measured = observation.measured;
    const auto hits = static_cast<std::uint64_t>(std::llround(
        static_cast<double>(plan.queries) * (measured["conditional_rate"].get<double>() + added)));
    measured["false_positives"] = hits;
    measured["true_negatives"] = plan.queries - hits;
  }
  return hash_width_exhibit(analyse({.stem = plan.stem,
                                     .file_name = plan.stem + ".json",
                                     .file = std::move(file),
                                     .confirmation = {}}),
                            Words("en"));
}

double excess_deviation(const Content& content) {
  return std::get<double>(content.tables.front().rows.at(0).back().value);
}

}  // namespace

TEST_CASE("a floor as high as theory says is found so", "[analysis][exhibits]") {
  // n / 2^32 of the strangers, less those that are reported anyway; within 2 %.
  const double ideal = 0.0082;
  const double added =
      (1 - std::exp(-static_cast<double>(width_keys) / 4294967296.0)) * (1 - ideal);
  const Content content = with_excess(added);
  CHECK(std::abs(excess_deviation(content)) < 0.02);
  CHECK_FALSE(content.tables.front().rows[0].back().marked);
}

TEST_CASE("a filter without the floor is told from one with it", "[analysis][exhibits]") {
  const Content content = with_excess(0.0);
  CHECK(excess_deviation(content) == Approx(-1).margin(0.02));
  CHECK(content.tables.front().rows[0].back().marked);
}

TEST_CASE("a hash of full width has no floor", "[analysis][exhibits]") {
  const Content content = hash_width_exhibit(
      synthetic::experiment({.stem = "hash_width_floor", .m = {10000}, .k = {7}}), Words("en"));
  CHECK(content.values.at("highest_floor") == "–");
  REQUIRE(content.tables.front().rows.size() == 1);
  CHECK(std::holds_alternative<std::monostate>(content.tables.front().rows[0].back().value));
}
