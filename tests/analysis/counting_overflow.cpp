// Counters that overflow: the page.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "counted.hpp"

using namespace bloomlab::analysis;

namespace {

Json cell(std::uint64_t bits, const char* overflow, std::uint64_t copies) {
  return {{"m", 100},
          {"counters_per_key", 10},
          {"k", 7},
          {"counter_bits", bits},
          {"overflow", overflow},
          {"copies", copies}};
}

Json overflow_counts(std::uint64_t overflowed, std::uint64_t lost) {
  return {{"filters", 500},       {"overflowed", overflowed}, {"overflows", overflowed},
          {"full", 1700},         {"others", 4500},           {"others_denied", 0},
          {"repeated_denied", 0}, {"erased", 7500},           {"others_lost", lost},
          {"repeated_left", 0}};
}

Json repeated(std::uint64_t lost, std::uint64_t earliest) {
  Json measured = overflow_counts(500, lost);
  measured["earliest_overflow"] = earliest;
  measured["latest_overflow"] = 16;
  return measured;
}

Experiment small_overflow() {
  Experiment experiment = counted::experiment("counting_overflow");
  counted::add(experiment, cell(2, "saturate", 1),
               {overflow_counts(210, 0), overflow_counts(225, 0)});
  counted::add(experiment, cell(2, "wrap", 1), {overflow_counts(210, 9), overflow_counts(225, 7)});
  counted::add(experiment, cell(4, "saturate", 1), {overflow_counts(0, 0), overflow_counts(3, 0)});
  counted::add(experiment, cell(4, "report", 20), {repeated(1100, 16), repeated(1150, 8)});
  counted::add(experiment, cell(2, "report", 20), {repeated(100, 4), repeated(150, 4)});
  return experiment;
}

}  // namespace

TEST_CASE("overflowed filters are tested against the exact probability", "[analysis][overflow]") {
  const Content content = counting_overflow_exhibit(small_overflow(), Words("en"));
  // 100 counters of 2 bits, 70 increments: 0.43500. Of 4 bits: below 1e-13, so that three
  // overflowed filters of a thousand are flagged.
  CHECK(counted::entry(content, "overflow", 0, "exact").text == "0.4350");
  CHECK(std::get<double>(counted::entry(content, "overflow", 0, "share").value) == 0.435);
  CHECK_FALSE(counted::entry(content, "overflow", 0, "p").marked);
  CHECK(counted::entry(content, "overflow", 1, "p").marked);
  CHECK(content.values.at("overflow_tests") == "2");
  CHECK(content.values.at("overflow_flags") == "1");
}

TEST_CASE("a repeated key is shown for the widest counters, and in full", "[analysis][overflow]") {
  const Content content = counting_overflow_exhibit(small_overflow(), Words("en"));
  CHECK(counted::entry(content, "repeated_shown", 0, "overflow").text == "report");
  CHECK(counted::entry(content, "repeated_shown", 0, "earliest").text == "8");
  CHECK(counted::entry(content, "repeated_shown", 0, "latest").text == "16");
  CHECK(counted::entry(content, "repeated_shown", 0, "others_lost").text == "25 %");
  CHECK(counted::entry(content, "repeated", 1, "counter_bits").text == "2");
  CHECK(content.tables[1].rows.size() == 1);
  CHECK(content.values.at("first_overflow") == "16");
  REQUIRE(content.figures.size() == 1);
  CHECK(content.figures.front().series.size() == 4);
}

TEST_CASE("the page of overflows is written from any grid", "[analysis][overflow]") {
  counted::check_section(small_overflow());
  Experiment none = counted::experiment("counting_overflow");
  counted::add(none, cell(4, "report", 20), {repeated(1, 16)});
  counted::check_section(none);
}
