// The dynamic filter: equal layers, and the compound rate.

#include "core/filters/dynamic.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/core/measured_rate.hpp"

using namespace bloomlab;
using bloomlab::test::check_rate;
using bloomlab::test::Implementation;
using bloomlab::test::keys;
using Catch::Matchers::Message;

TEST_CASE("a dynamic filter opens an equal layer when the last one is full", "[core][dynamic]") {
  const Dynamic::Parameters p{.m = 5000, .k = 4, .capacity = 500};
  Implementation<Dynamic> implementation(p, Probe::of<Independent, MultiplyShift>(), 1700);
  for (const std::size_t n : {500U, 501U, 1700U}) {
    implementation.filter().clear();
    implementation.insert(keys(0, n));
    const FilterState state = implementation.filter().state();
    CHECK(state.layers.size() == (n + 499) / 500);
    for (const LayerState& layer : state.layers) {
      CHECK(layer.bits == 5000);
      CHECK(layer.probes == 4);
      CHECK(layer.keys <= 500);
    }
    CHECK(state.memory_bits == Dynamic::memory_bits(p, n));
  }
}

TEST_CASE("a dynamic filter has the rate of its closed form", "[core][dynamic]") {
  check_rate<Dynamic>({.m = 5000, .k = 4, .capacity = 500},
                      {.n = 1700, .trials = 100, .absent_keys = 5000});
  check_rate<Dynamic>({.m = 640, .k = 3, .capacity = 64},
                      {.n = 64, .trials = 100, .absent_keys = 5000});
}

TEST_CASE("a dynamic filter refuses parameters out of range", "[core][dynamic]") {
  CHECK_THROWS_MATCHES(
      Dynamic({.m = 10, .k = 2, .capacity = 0}, Probe::of<Independent, MultiplyShift>()),
      std::invalid_argument,
      Message("dynamic: capacity is 0; it must be from 1 to 281474976710656"));
  CHECK(Dynamic::memory_bits({.m = 10, .k = 2, .capacity = 1}, 65537) == ~std::uint64_t{0});
  CHECK(Dynamic::memory_bits({.m = max_filter_bits, .k = 2, .capacity = 1}, 65536) ==
        ~std::uint64_t{0});
}

TEST_CASE("a dynamic filter has at most 65536 filters, and fewer than 2^63 bits",
          "[core][dynamic]") {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  CHECK(Dynamic::memory_bits({.m = 64, .k = 1, .capacity = 1}, 65536) == 64 * 65536);
  CHECK(Dynamic::memory_bits({.m = 64, .k = 1, .capacity = 1}, 65537) == none);
  const Dynamic::Parameters large{.m = std::uint64_t{1} << 48, .k = 1, .capacity = 1};
  CHECK(Dynamic::memory_bits(large, 32767) == 32767 * large.m);
  CHECK(Dynamic::memory_bits(large, 32768) == none);
}
