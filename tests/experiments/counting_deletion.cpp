// Deleting keys: what the kind counts, and that counters behave as their policies say.
#include "experiments/kinds/counting_deletion.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<CountingDeletion>);

using DeletionPoint = CountingDeletion::Point::Parameters;

DeletionPoint deletion_point(const char* way, const char* counters, std::uint64_t deletions,
                             std::uint64_t m = 1000) {
  return record::own_parameters_of<CountingDeletion::Point>({{"way", way},
                                                             {"counters", counters},
                                                             {"m", m},
                                                             {"n", 100},
                                                             {"k", 7},
                                                             {"deletions", deletions}});
}

record::Json measured(const DeletionPoint& at, std::uint64_t filters = 50,
                      std::uint64_t queries = 1000, std::uint64_t seed = 3) {
  REQUIRE(CountingDeletion::check({filters, queries}, at) == std::nullopt);
  const auto measurements = CountingDeletion::measure({filters, queries}, at, seed);
  REQUIRE(measurements.size() == 1);
  return measurements[0].measured;
}

double per_filter(const record::Json& json, const char* key) {
  return json.at(key).get<double>() / json.at("filters").get<double>();
}

}  // namespace

TEST_CASE("inserted keys deleted from counters that stick cost no other inserted key",
          "[counting_deletion]") {
  for (const char* counters : {"saturate_2", "saturate_3", "saturate_4", "wrap_16", "report_8"}) {
    CAPTURE(counters);
    const record::Json json = measured(deletion_point("inserted_keys", counters, 40));
    CHECK(json.at("inserted") == 5000);
    CHECK(json.at("deleted") == 2000);
    CHECK(json.at("refused") == 0);
    CHECK(json.at("inserted_keys_left") == 3000);
    CHECK(json.at("inserted_keys_lost") == 0);
    CHECK(json.at("used_after") < json.at("used"));
    CHECK(json.at("false_positives").get<int>() + json.at("true_negatives").get<int>() == 50000);
  }
  CHECK(measured(deletion_point("inserted_keys", "saturate_2", 40)).at("overflows") > 0);
  CHECK(measured(deletion_point("inserted_keys", "wrap_16", 40)).at("overflows") == 0);
}

TEST_CASE("after deleting, a filter is that of the inserted keys left", "[counting_deletion]") {
  // Counters above zero are those of the 60 keys left: 1000 (1 - e^(-0.42)) = 343, give or take
  // 0.4 for 1000 filters (sd 11.6 each), at five standard errors; and their rate, 5.6e-4.
  const record::Json json = measured(deletion_point("inserted_keys", "saturate_8", 40), 1000, 2000);
  CHECK(per_filter(json, "used_after") == Approx(343.1).margin(2.0));
  CHECK(json.at("false_positives").get<double>() / 2e6 == Approx(5.7e-4).epsilon(0.15));
}

TEST_CASE("small counters that wrap or are counted down lose inserted keys",
          "[counting_deletion]") {
  for (const char* counters : {"wrap_2", "report_2"}) {
    CAPTURE(counters);
    CHECK(measured(deletion_point("inserted_keys", counters, 40)).at("inserted_keys_lost") > 0);
  }
}

TEST_CASE("a wrong deletion loses 4.7 inserted keys of a hundred", "[counting_deletion]") {
  // A model of the counters says 4.73, and so does a simulation of another make; 2000 filters with
  // a standard deviation of 1.3 each leave 0.03: five of them here.
  const record::Json json = measured(deletion_point("absent_keys", "saturate_4", 1), 2000, 5000);
  CHECK(json.at("deleted") == 2000);
  CHECK(json.at("inserted_keys_left") == 200000);
  CHECK(per_filter(json, "inserted_keys_lost") == Approx(4.73).margin(0.15));
  CHECK_FALSE(json.contains("false_positives"));
}

TEST_CASE("clearing one key's bits loses others", "[counting_deletion]") {
  // 99 (1 - sum_d P(7 draws hit d) (1 - d/1000)^7) = 4.7; the same margin.
  const record::Json json = measured(deletion_point("inserted_keys", "none", 1), 2000, 1);
  CHECK(json.at("deleted") == 2000);
  CHECK(json.at("refused") == 0);
  CHECK(per_filter(json, "inserted_keys_lost") == Approx(4.73).margin(0.15));
  CHECK(measured(deletion_point("absent_keys", "none", 1)).at("inserted_keys_lost") >
        measured(deletion_point("absent_keys", "saturate_4", 1)).at("inserted_keys_lost"));
}

TEST_CASE("no more absent keys are deleted than are reported and wanted", "[counting_deletion]") {
  const record::Json few = measured(deletion_point("absent_keys", "saturate_4", 3), 50, 5000);
  CHECK(few.at("deleted") == 150);
  // Hardly an absent key of ten is reported at a rate of 0.008.
  const record::Json scarce = measured(deletion_point("absent_keys", "saturate_4", 3), 50, 10);
  CHECK(scarce.at("deleted") < 20);
}

TEST_CASE("deletion counts are whole numbers that depend on the seed alone",
          "[counting_deletion]") {
  const DeletionPoint at = deletion_point("absent_keys", "saturate_4", 2);
  CHECK(measured(at, 20, 1000, 8) == measured(at, 20, 1000, 8));
  CHECK(measured(at, 20, 1000, 8) != measured(at, 20, 1000, 9));
  const record::Json json = measured(at);
  for (const auto& [key, value] : json.items()) {
    CAPTURE(key);
    CHECK(value.is_number_unsigned());
  }
}

TEST_CASE("the words of counters are every policy with every size", "[counting_deletion]") {
  const auto words = CountingDeletion::Point::counters();
  CHECK(words.size() == 16);
  CHECK(words.front() == "none");
  CHECK(words[1] == "saturate_2");
  CHECK(words.back() == "report_16");
  CHECK(std::find(words.begin(), words.end(), "wrap_4") != words.end());
}

TEST_CASE("more inserted keys than there are cannot be deleted", "[counting_deletion][errors]") {
  CHECK(CountingDeletion::check({1, 1}, deletion_point("inserted_keys", "none", 101)) ==
        "deletions = 101 inserted keys of n = 100 keys; delete at most as many as are inserted");
  CHECK(CountingDeletion::check({1, 1}, deletion_point("absent_keys", "none", 101)) ==
        std::nullopt);
}

}  // namespace bloomlab::experiments
