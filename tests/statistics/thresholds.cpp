#include "statistics/thresholds.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <string>

using namespace bloomlab::statistics;

TEST_CASE("the list of thresholds is complete and each says what it decides",
          "[statistics][thresholds]") {
  std::ifstream header(std::string(BLOOMLAB_SOURCE_DIR) + "/statistics/thresholds.hpp");
  REQUIRE(header);
  std::size_t defined = 0;
  for (std::string line; std::getline(header, line);) {
    defined += line.starts_with("inline constexpr Threshold ") ? 1 : 0;
  }
  CHECK(thresholds::all().size() == defined);
  std::set<std::string_view> names;
  for (const Threshold& threshold : thresholds::all()) {
    CAPTURE(threshold.name);
    CHECK(names.insert(threshold.name).second);
    CHECK(threshold.meaning.size() > 20);
    CHECK(threshold.value > 0.0);
  }
}

TEST_CASE("thresholds have the values that the reports were written with",
          "[statistics][thresholds]") {
  CHECK(thresholds::family_alpha == 0.01);
  CHECK(thresholds::interval_level == 0.95);
  CHECK(thresholds::simultaneous_level == 0.99);
  CHECK(thresholds::power == 0.90);
  CHECK(thresholds::fill_only_effect == 0.10);
  CHECK(thresholds::few_hits == 30.0);
  CHECK(thresholds::minimum_trials == 5.0);
  CHECK(thresholds::binomial_design_effect == 1.02);
  CHECK(thresholds::normal_skewness == 0.02);
}
