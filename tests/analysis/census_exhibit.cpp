// What the census's exhibit says of filters whose counts were made by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/report/section.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t universe = std::uint64_t{1} << 32;

/// What a filter of 10 000 bits with 1000 keys showed.
struct Counted {
  double hits = 1.0;  ///< times those that its own bits imply
  std::uint64_t covered_clopper_pearson = 3900;
  std::uint64_t covered_wilson = 3891;
  double own_rate = 0.008;
};

Experiment census(const std::vector<Counted>& trials) {
  auto file = synthetic::results({.stem = "census", .m = {10000}, .k = {7}, .trials = 1});
  const Json cell = file.observations.front().cell;
  file.observations.clear();
  file.config["kind"] = "census";
  for (const Counted& counted : trials) {
    const std::uint64_t strangers = universe - 1000;
    const auto hits = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(strangers) * counted.own_rate * counted.hits));
    auto observation = synthetic::observation(cell, file.observations.size(), hits, strangers, 5000,
                                              counted.own_rate);
    observation.measured["blocks"] = 4096;
    observation.measured["covered_clopper_pearson"] = counted.covered_clopper_pearson;
    observation.measured["covered_wilson"] = counted.covered_wilson;
    file.observations.push_back(std::move(observation));
  }
  return analyse(
      {.stem = "census", .file_name = "census.json", .file = std::move(file), .confirmation = {}});
}

Content exhibit(const std::vector<Counted>& trials) {
  return census_exhibit(census(trials), Words("en"));
}

const Entry& entry(const Content& content, const std::string& key, std::size_t row = 0) {
  const Table& table = content.tables.at(0);
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& c) { return c.key == key; });
  REQUIRE(found != table.columns.end());
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

}  // namespace

TEST_CASE("filters that do what their bits say are not marked", "[analysis][exhibits][census]") {
  const Content content = exhibit({{}, {}});
  REQUIRE(content.tables.at(0).rows.size() == 2);
  for (const char* key : {"own_deviation", "own_p", "clopper_pearson", "wilson"}) {
    INFO(key);
    CHECK_FALSE(entry(content, key).marked);
  }
  CHECK(std::get<double>(entry(content, "true_rate").value) == Approx(0.008).epsilon(1e-7));
  CHECK(std::get<std::uint64_t>(entry(content, "trial", 1).value) == 2);
  CHECK(content.values.at("filters") == "2");
  CHECK(content.values.at("own_kept") == "2");
  CHECK(content.values.at("coverage_promises") == "4");
  CHECK(content.values.at("coverage_kept") == "4");
  CHECK(content.values.at("coverage_broken") == "–");
}

TEST_CASE("a rate that a filter's bits do not explain is marked", "[analysis][exhibits][census]") {
  // 3.4e7 hits: one in a thousand is 5.9 standard deviations, one in ten thousand 0.6.
  CHECK_FALSE(entry(exhibit({{.hits = 1.0001}}), "own_p").marked);
  const Content content = exhibit({{}, {.hits = 1.001}});
  CHECK_FALSE(entry(content, "own_p", 0).marked);
  CHECK(entry(content, "own_p", 1).marked);
  CHECK(entry(content, "own_deviation", 1).marked);
  CHECK(entry(content, "own_deviation", 1).text == "+0.10 %");
  CHECK(content.values.at("own_kept") == "1");
  CHECK(content.values.at("own_broken") == "m = 10\u202f000, k = 7, independent");
}

TEST_CASE("blocks whose intervals miss the known rate too often are marked",
          "[analysis][exhibits][census]") {
  // Of 4096 blocks 3891 are 95 %; 3840 are 93.75 %, whose 99 % bound ends at 94.7 %.
  const Content content = exhibit({{.covered_clopper_pearson = 3840, .covered_wilson = 3840}});
  CHECK(entry(content, "clopper_pearson").marked);
  CHECK_FALSE(entry(content, "wilson").marked);  // may be 94 %
  CHECK(content.values.at("coverage_kept") == "1");
  CHECK(entry(exhibit({{.covered_wilson = 3790}}), "wilson").marked);
  CHECK(entry(exhibit({{.covered_wilson = 4000}}), "wilson").marked);
}

TEST_CASE("with few hits a block the approximate interval promises nothing",
          "[analysis][exhibits][census]") {
  // 1e-6 of 2^20 questions is one hit.
  const Content content = exhibit({{.covered_wilson = 3000, .own_rate = 1e-6}});
  CHECK_FALSE(entry(content, "wilson").marked);
  CHECK(content.values.at("coverage_promises") == "1");
}

TEST_CASE("the page of the census holds every text it asks for", "[analysis][exhibits][census]") {
  const Section page = make_section(census({{}, {}}), Words("en"), {});
  CHECK_THAT(page.answer, Catch::StartsWith("The rates of 2 filters, from 0.00800"));
  CHECK_THAT(page.body, Catch::Contains("| 1 | 34"));
}
