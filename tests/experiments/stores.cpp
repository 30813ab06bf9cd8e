// Filters in front of a store of keys and values: counts by the store's own statistics.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/theory/blocked.hpp"
#include "core/theory/standard.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "foreign/guard_program.hpp"
#include "tests/catch_runner.hpp"
#include "tests/experiments/counts.hpp"

namespace bloomlab::experiments {

using record::Json;
using testing::count_of;
using testing::near_to;

TEST_CASE("guards of a key-value store take turns in every order", "[applications]") {
  CHECK(KeyValueStore::check({1, 10}, {}) ==
        "repetitions is 10; the three guards take turns in all six orders: write a multiple of 6");
  CHECK(KeyValueStore::check({1, 12}, {}) == std::nullopt);
}

TEST_CASE("a lookup of a key-value store is avoided or reads it, and no present key is lost",
          "[applications]") {
  if (!foreign::program_of_ours(KeyValueStore::program)) {
    return tests::skip("RocksDB is not installed");
  }
  using Point = KeyValueStore::Point;
  const KeyValueStore::Parameters p{20000, 6};
  for (const auto store : {Point::Store::cached, Point::Store::no_cache}) {
    for (const auto front :
         {Point::Front::standard, Point::Front::blocked, Point::Front::split_block}) {
      const Point::Parameters at{store, 2000, 30, 0.25, front, 8};
      const Measurement one = KeyValueStore::measure(p, at, 5).front();
      INFO(one.measured.dump());
      const auto count = [&](const std::string& name) {
        return count_of(one.measured, name.c_str());
      };
      const double hits = count("hits");
      CHECK(near_to(hits, 5000, 0.06));  // three standard deviations are 0.037
      CHECK(count("wrong") == 0);
      CHECK(count("none_reads") == 20000);
      for (const std::string guard : {"own", "ours"}) {
        CHECK(count(guard + "_reads") + count(guard + "_avoided") == 20000);
        CHECK(count(guard + "_reads") == hits + count(guard + "_false_positives"));
        CHECK(count(guard + "_blocks") >= count(guard + "_reads"));
        CHECK(count(guard + "_blocks") < 1.1 * count(guard + "_reads"));
      }
      for (const std::string guard : {"none", "own", "ours"})
        CHECK(count(guard + "_found") == hits);
      // About 2.2 % of 15000, by whose spread and that of one filter the bound is left.
      CHECK(near_to(count("ours_false_positives"), 380, 0.4));
      CHECK(near_to(count("own_false_positives"),
                    15000 * theory::blocked_fpr(one.measured.at("own_m").get<std::uint64_t>() / 512,
                                                512, 2002, 5),
                    0.3));
      for (const auto& [name, durations] : one.timing.items()) {
        if (name != "looked_up") CHECK(durations.size() == 6);
      }
      CHECK(one.timing.size() == 10);
      CHECK(one.measured == KeyValueStore::measure(p, at, 5).front().measured);
    }
  }
}

TEST_CASE("tables of levels are read as their filters' rates say, fewest with the best split",
          "[applications][store]") {
  using List = std::vector<std::uint64_t>;
  CHECK(TableLevels::check({1}, {10, 10, 1000, 8}) ==
        "1000 keys are too few for 10 levels, each 10 times the one above; give fewer levels");
  const TableLevels::Parameters p{20000};
  const TableLevels::Point::Parameters at{4, 5, 7800, 6};
  REQUIRE(TableLevels::check(p, at) == std::nullopt);
  if (!foreign::program_of_ours(TableLevels::program)) {
    return tests::skip("RocksDB is not installed");
  }
  const Json measured = TableLevels::measure(p, at, 5).front().measured;
  INFO(measured.dump());
  CHECK(measured.at("wrong") == 0);
  const List keys = measured.at("level_keys").get<List>();
  CHECK(keys == List{50, 250, 1250, 6250});
  const List found = measured.at("level_found").get<List>();
  CHECK(found[0] + found[1] + found[2] + found[3] == 20000);
  CHECK(near_to(double(found[3]), 20000 * 6250.0 / 7800, 0.02));
  std::map<std::string, std::uint64_t> reads_of;
  for (const std::string way : {"none", "uniform", "split"}) {
    CAPTURE(way);
    const List bits = measured.at(way + "_bits").get<List>();
    const List probes = measured.at(way + "_probes").get<List>();
    const List reads = measured.at(way + "_reads").get<List>();
    const List present_reads = measured.at(way + "_present_reads").get<List>();
    std::uint64_t all_bits = 0;
    double looked_up = 20000;  // lookups of present keys that come to the level
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(i);
      all_bits += bits[i];
      reads_of[way] += reads[i];
      const double rate = bits[i] == 0 ? 1.0 : theory::exact_fpr(bits[i], keys[i], probes[i]);
      const double sd =
          bits[i] == 0 ? 0.0 : theory::sd_conditional_fpr(bits[i], keys[i], probes[i]);
      const auto five_sd = [&](double lookups) {
        return 5 * std::sqrt(lookups * rate * (1 - rate) + lookups * lookups * sd * sd);
      };
      CHECK(std::abs(double(reads[i]) - 20000 * rate) <= five_sd(20000));
      looked_up -= double(found[i]);
      CHECK(std::abs(double(present_reads[i]) - double(found[i]) - looked_up * rate) <=
            five_sd(looked_up));
    }
    CHECK(all_bits <= (way == "none" ? 0 : 6 * 7800));
    CHECK(all_bits + 4 >= (way == "none" ? 0 : 6 * 7800));
  }
  CHECK(reads_of.at("none") == 4 * 20000);
  // About 0.10 and 0.22 reads per lookup.
  CHECK(double(reads_of.at("split")) < 0.6 * double(reads_of.at("uniform")));
  CHECK(measured == TableLevels::measure(p, at, 5).front().measured);
  CHECK(measured != TableLevels::measure(p, at, 6).front().measured);
}

}  // namespace bloomlab::experiments
