// Erasing keys: the models of the counters, and the page.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/erasure_laws.hpp"
#include "counted.hpp"
#include "record/input_error.hpp"

using namespace bloomlab::analysis;

namespace {

Json cell(const char* way, const char* counters, std::uint64_t erase) {
  return {{"way", way}, {"counters", counters}, {"m", 1000}, {"n", 100},
          {"k", 7},     {"erase", erase}};
}

Json deletion_counts(std::uint64_t erased, std::uint64_t left, std::uint64_t lost,
                     std::uint64_t overflows) {
  return {{"filters", 100},       {"inserted", 10000},    {"erased", erased},      {"refused", 0},
          {"members_left", left}, {"members_lost", lost}, {"overflows", overflows}};
}

Json with_queries(Json measured, std::uint64_t hits) {
  measured["false_positives"] = hits;
  measured["true_negatives"] = 1'000'000 - hits;
  return measured;
}

}  // namespace

TEST_CASE("clearing with one probe loses those who share the bit", "[analysis][deletion]") {
  // (n - e) (1 - (1 - 1/m)^e).
  CHECK(lost_by_clearing({50, 20, 1, 3}) == Approx(17 * (1 - std::pow(0.98, 3))).epsilon(1e-12));
  CHECK(lost_by_clearing({1000, 100, 7, 0}) == Approx(0).margin(1e-12));
  CHECK(lost_by_clearing({1, 10, 4, 1}) == Approx(9));
  // Two probes of four positions: P(kept) = 1/4 (3/4)^2 + 3/4 (1/2)^2.
  CHECK(lost_by_clearing({4, 2, 2, 1}) == Approx(1 - (0.25 * 0.5625 + 0.75 * 0.25)));
}

TEST_CASE("a wrong erase loses what simulations of another make lost", "[analysis][deletion]") {
  // Simulated: 4.73, 2.17 and 4.04 (two standard errors 0.02 to 0.03).
  CHECK(lost_by_wrong_erases({1000, 100, 7, 0}, 1) == Approx(4.73).margin(0.04));
  CHECK(lost_by_wrong_erases({5000, 1000, 3, 0}, 1) == Approx(2.18).margin(0.04));
  CHECK(lost_by_wrong_erases({4096, 512, 6, 0}, 1) == Approx(4.03).margin(0.04));
  CHECK(lost_by_wrong_erases({4096, 512, 6, 0}, 0) == Approx(0).margin(1e-9));
}

TEST_CASE("more wrong erases lose more, each a little less or more", "[analysis][deletion]") {
  const ErasedFilter filter{10000, 1000, 7, 0};
  const double one = lost_by_wrong_erases(filter, 1);
  const double ten = lost_by_wrong_erases(filter, 10);
  CHECK(ten == Approx(10 * one).epsilon(0.05));
  CHECK(lost_by_wrong_erases(filter, 1.5) == Approx(1.5 * one).epsilon(0.01));
  CHECK(lost_by_clearing_strangers(filter, 1) > one);
  CHECK(lost_by_clearing_strangers(filter, 1e4) == Approx(1000).epsilon(0.01));
}

TEST_CASE("the rate after erasing is that of the keys left, and of counters that stuck",
          "[analysis][deletion]") {
  // Counters of 16 bits: exactly the filter of 50 keys; rate (1 - e^(-0.35))^7 = 2.0e-4.
  const auto wide = rate_after_erasing({1000, 100, 7, 50}, 65535);
  CHECK(wide.rate == Approx(1.96e-4).epsilon(0.05));
  CHECK(wide.variance > 0);
  // Two bits: of the counters that no key left raised, P(Poisson(0.35) >= 3) = 0.0055 stuck.
  const auto narrow = rate_after_erasing({1000, 100, 7, 50}, 3);
  const double more = 1 + 0.7047 * 0.0055 / (1 - 0.7047);
  CHECK(narrow.rate / wide.rate == Approx(std::pow(more, 7)).epsilon(0.005));
}

TEST_CASE("the page of erasing compares losses and rates with their models",
          "[analysis][deletion]") {
  Experiment experiment = counted::experiment("counting_deletion");
  counted::add(experiment, cell("members", "saturate_16", 50),
               {with_queries(deletion_counts(5000, 5000, 0, 0), 205),
                with_queries(deletion_counts(5000, 5000, 0, 0), 190)});
  counted::add(experiment, cell("members", "saturate_16", 40),
               {with_queries(deletion_counts(4000, 6000, 0, 0), 2000),
                with_queries(deletion_counts(4000, 6000, 0, 0), 2000)});
  counted::add(experiment, cell("members", "none", 1),
               {with_queries(deletion_counts(100, 9900, 470, 0), 8000),
                with_queries(deletion_counts(100, 9900, 460, 0), 8000)});
  counted::add(experiment, cell("members", "wrap_2", 1),
               {with_queries(deletion_counts(100, 9900, 70, 9), 8000),
                with_queries(deletion_counts(100, 9900, 30, 9), 8000)});
  counted::add(experiment, cell("strangers", "saturate_4", 1),
               {deletion_counts(100, 10000, 480, 0), deletion_counts(100, 10000, 470, 0)});
  const Content content = counting_deletion_exhibit(experiment, Words("en"));
  CHECK(content.values.at("right_asked") == "22\u202f000");
  CHECK(content.values.at("right_lost") == "0");
  CHECK(content.values.at("rate_tests") == "2");
  CHECK(content.values.at("rate_flags") ==
        "1");  // the second cell has three times its rate and more
  CHECK(content.values.at("policy_losses") == "wrap_2: 100 of 19\u202f800");
  CHECK_THAT(content.values.at("wrong_losses"), Catch::Contains("model 4.74"));
  CHECK_THAT(content.values.at("clearing_losses"), Catch::StartsWith("4.7 ["));
  CHECK_FALSE(counted::entry(content, "erasing", 0, "p").marked);
  CHECK(counted::entry(content, "erasing", 1, "p").marked);
  CHECK(counted::entry(content, "erasing", 3, "predicted").text == "–");
  CHECK(counted::entry(content, "erasing", 4, "rate").text == "–");
  counted::check_section(experiment);
}

TEST_CASE("results of another kind are refused by name", "[analysis][deletion][errors]") {
  Experiment experiment = counted::experiment("growth");
  CHECK_THROWS_WITH(counting_deletion_exhibit(experiment, Words("en")),
                    "growth.json: results of the kind \"growth\", where those of "
                    "\"counting_deletion\" belong; measure again with `bloomlab run --force`");
  experiment.kind = "counting_deletion";
  counted::add(experiment, cell("members", "none", 1), {{{"filters", 3}}});
  CHECK_THROWS_WITH(counting_deletion_exhibit(experiment, Words("en")),
                    Catch::Contains("has no count \"members_lost\""));
}
