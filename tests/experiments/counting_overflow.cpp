// Counters that overflow: by chance, and by one key that comes again and again.
#include "experiments/kinds/counting_overflow.hpp"

#include <catch2/catch.hpp>

#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<CountingOverflow>);

using OverflowPoint = CountingOverflow::Point::Parameters;

OverflowPoint overflow_point(const char* overflow, std::uint64_t counter_bits, std::uint64_t copies,
                             std::uint64_t m = 1 << 16) {
  return record::own_parameters_of<CountingOverflow::Point>({{"m", m},
                                                             {"counters_per_key", 10},
                                                             {"k", 7},
                                                             {"counter_bits", counter_bits},
                                                             {"overflow", overflow},
                                                             {"copies", copies}});
}

record::Json measured(const OverflowPoint& at, std::uint64_t filters = 5, std::uint64_t seed = 3) {
  REQUIRE(CountingOverflow::check({filters}, at) == std::nullopt);
  const auto measurements = CountingOverflow::measure({filters}, at, seed);
  REQUIRE(measurements.size() == 1);
  return measurements[0].measured;
}

}  // namespace

TEST_CASE("a counter of four bits overflows at the sixteenth copy of a key",
          "[counting_overflow]") {
  for (const char* overflow : {"saturate", "wrap", "report"}) {
    CAPTURE(overflow);
    const record::Json json = measured(overflow_point(overflow, 4, 20));
    CHECK(json.at("overflowed") == 5);
    CHECK(json.at("earliest_overflow") == 16);
    CHECK(json.at("latest_overflow") == 16);
    CHECK(measured(overflow_point(overflow, 2, 20)).at("latest_overflow") == 4);
  }
  // Other keys that share a counter with it come later: the key by itself fits fifteen times.
  CHECK(measured(overflow_point("saturate", 4, 15)).at("latest_overflow") == 0);
}

TEST_CASE("a counter that wraps denies its key at the sixteenth copy and not at the twentieth",
          "[counting_overflow]") {
  CHECK(measured(overflow_point("wrap", 4, 16)).at("repeated_denied") == 5);
  CHECK(measured(overflow_point("wrap", 4, 20)).at("repeated_denied") == 0);
  CHECK(measured(overflow_point("report", 4, 16)).at("repeated_denied") == 0);
}

TEST_CASE("a counter that is counted down takes other keys with it", "[counting_overflow]") {
  const record::Json json = measured(overflow_point("report", 4, 20), 50);
  CHECK(json.at("others_denied") == 0);
  CHECK(json.at("deleted") == 50 * 15);
  CHECK(json.at("repeated_left") == 0);
  // As many as clearing its bits would lose: near k^2 n / m = 4.9 a filter, sd 2.2; 50 filters.
  CHECK(json.at("others_lost").get<double>() / 50 == Approx(4.9).margin(1.6));
}

TEST_CASE("a counter that sticks loses nothing, and its key stays", "[counting_overflow]") {
  const record::Json json = measured(overflow_point("saturate", 4, 20));
  CHECK(json.at("others_lost") == 0);
  CHECK(json.at("repeated_left") == 5);
  CHECK(json.at("deleted") == 5 * 20);
  CHECK(json.at("others") == 5 * 6552);
}

TEST_CASE("distinct keys overflow counters as often as theory says", "[counting_overflow]") {
  // 100 counters of 2 bits, 70 increments: exact probability 0.43500 (by the model
  // counting_overflow); 2000 filters leave a standard error of 0.011: four and a half here, an
  // error of 1e-5.
  const record::Json json = measured(overflow_point("saturate", 2, 1, 100), 2000);
  CHECK_FALSE(json.contains("earliest_overflow"));
  CHECK(json.at("overflowed").get<double>() / 2000 == Approx(0.435).margin(0.05));
  CHECK(json.at("overflows") >= json.at("overflowed"));
  CHECK(measured(overflow_point("saturate", 4, 1)).at("overflowed") == 0);
}

TEST_CASE("full counters are those at their largest value", "[counting_overflow]") {
  // One key seven times into counters of three bits.
  const OverflowPoint at =
      record::own_parameters_of<CountingOverflow::Point>({{"m", 1 << 20},
                                                          {"counters_per_key", 1 << 20},
                                                          {"k", 5},
                                                          {"counter_bits", 3},
                                                          {"copies", 7}});
  const record::Json json = measured(at, 4);
  CHECK(json.at("full") == 4 * 5);
  CHECK(json.at("overflowed") == 0);
  CHECK(json.at("others") == 0);
}

TEST_CASE("overflow counts are whole numbers that depend on the seed alone",
          "[counting_overflow]") {
  const OverflowPoint at = overflow_point("report", 2, 3, 1000);
  CHECK(measured(at, 20, 8) == measured(at, 20, 8));
  CHECK(measured(at, 20, 8) != measured(at, 20, 9));
  const record::Json json = measured(at);
  for (const auto& [key, value] : json.items()) {
    CAPTURE(key);
    CHECK(value.is_number_unsigned());
  }
}

TEST_CASE("counters that mean nothing are refused", "[counting_overflow][errors]") {
  CHECK(CountingOverflow::check({1}, overflow_point("wrap", 4, 1, 9)) ==
        "counters_per_key = 10 leaves no key in m = 9 counters; fewer counters per key");
  CHECK(CountingOverflow::check({1}, overflow_point("wrap", 5, 1)) ==
        "counting: counter_bits is 5; it must be 2, 3, 4, 8 or 16");
}

}  // namespace bloomlab::experiments
