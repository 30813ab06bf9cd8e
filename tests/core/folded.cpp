// The folded filter: folding and inserting give the same bits, and the rate of the closed form.

#include "core/filters/folded.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/core/measured_rate.hpp"
#include "tests/core/named_probes.hpp"

using namespace bloomlab;
using bloomlab::test::check_rate;
using bloomlab::test::Implementation;
using bloomlab::test::independent;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {}

TEST_CASE("a standard filter that is folded is the filter that folds positions", "[core][folded]") {
  for (const std::uint64_t to : {1U, 63U, 64U, 1000U, 1024U, 1200U, 2047U, 2048U}) {
    const Folded::Parameters p{.m = 2048, .k = 4, .folded_to = to};
    Implementation<Standard> standard({.m = 2048, .k = 4}, independent, 200);
    Implementation<Folded> folded(p, independent, 200);
    standard.insert(keys(0, 200));
    folded.insert(keys(0, 200));
    const Folded afterwards = Folded::fold(standard.filter(), to);
    CHECK(std::ranges::equal(afterwards.bits().words(), folded.filter().bits().words()));
    CHECK(afterwards.state() == folded.filter().state());
    CHECK(afterwards.inserted() == 200);
  }
}

TEST_CASE("a filter folded to all its bits is the standard filter", "[core][folded]") {
  Implementation<Standard> standard({.m = 2048, .k = 4}, independent, 200);
  Implementation<Folded> folded({.m = 2048, .k = 4, .folded_to = 2048}, independent, 200);
  standard.insert(keys(0, 200));
  folded.insert(keys(0, 200));
  CHECK(standard.filter().state() == folded.filter().state());
}

TEST_CASE("a folded filter has the rate of its closed form", "[core][folded]") {
  // Exact where m2 divides m; elsewhere the closed form errs by k^2/m, below the test's bound here.
  check_rate<Folded>({.m = 4096, .k = 4, .folded_to = 2048},
                     {.n = 200, .trials = 100, .absent_keys = 20000});
  check_rate<Folded>({.m = 20480, .k = 4, .folded_to = 12000},
                     {.n = 1500, .trials = 100, .absent_keys = 20000});
}

TEST_CASE("the conditional rate of a folded filter weighs bits by their positions",
          "[core][folded]") {
  // 5 positions in 3 bits: bits 0 and 1 stand for two positions, bit 2 for one. One key, one probe.
  for (std::uint64_t key = 0; key < 20; ++key) {
    Implementation<Folded> implementation({.m = 5, .k = 1, .folded_to = 3}, independent, 1);
    implementation.insert(keys(key, 1));
    const bool last = implementation.filter().bits().test(2);
    CHECK(implementation.filter().state().conditional_rate == (last ? 0.2 : 0.4));
  }
  // 380 positions in 250 bits: those that stand for two end within the third word.
  for (std::uint64_t key = 0; key < 100; ++key) {
    Implementation<Folded> implementation({.m = 380, .k = 1, .folded_to = 250}, independent, 1);
    implementation.insert(keys(key, 1));
    bool twice = false;
    for (std::uint64_t bit = 0; bit < 130; ++bit) twice |= implementation.filter().bits().test(bit);
    CHECK(implementation.filter().state().conditional_rate == (twice ? 2.0 / 380.0 : 1.0 / 380.0));
  }
}

TEST_CASE("a folded filter refuses parameters out of range", "[core][folded]") {
  CHECK_THROWS_MATCHES(Folded({.m = 10, .k = 2, .folded_to = 11}, independent),
                       std::invalid_argument,
                       Message("folded: folded_to is 11; it must be from 1 to 10"));
  CHECK_THROWS_MATCHES(Folded({.m = 0, .k = 2, .folded_to = 1}, independent), std::invalid_argument,
                       Message("folded: m is 0; it must be from 1 to 281474976710656"));
}
