#include "statistics/thresholds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <string>

#include "tests/paths.hpp"

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
  CHECK(thresholds::equivalence_level == 0.90);
  CHECK(thresholds::rejection_level == 0.99);
  CHECK(thresholds::equivalence_tolerance == 0.01);
  CHECK(thresholds::first_batch == 4096.0);
  CHECK(thresholds::batch_growth_divisor == 8.0);
  CHECK(thresholds::largest_precision == 0.10);
  CHECK(thresholds::precision_trials == 10.0);
  CHECK(thresholds::bootstrap_resamples == 4000.0);
  CHECK(thresholds::exact_rank_sample == 50.0);
  CHECK(thresholds::speed_alpha == 0.001);
  CHECK(thresholds::speed_effect == 0.02);
  CHECK(thresholds::noise == 0.03);
  CHECK(thresholds::noisy_share == 0.20);
  CHECK(thresholds::comparison_process_runs == 10.0);
  CHECK(thresholds::noise_quantile == 0.95);
  CHECK(thresholds::calibration_alpha == 0.05);
  CHECK(thresholds::calibration_effect == 0.10);
  CHECK(thresholds::coverage_tolerance == 0.01);
  CHECK(thresholds::coverage_hits == 30.0);
  CHECK(thresholds::simulation_level == 0.99);
}

TEST_CASE("the canonical text of the thresholds has a line for each", "[statistics][thresholds]") {
  const std::string text = thresholds::canonical_text();
  CHECK(std::count(text.begin(), text.end(), '\n') ==
        static_cast<std::ptrdiff_t>(thresholds::all().size()));
  CHECK(text.starts_with("family_alpha=0.01\nsuspect_share=0.05\ninterval_level=0.95\n"));
  CHECK(text.find("\nfirst_batch=4096\n") != std::string::npos);
  CHECK(text.ends_with("\nsimulation_level=0.99\n"));
}
