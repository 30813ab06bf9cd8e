// The standard filter: extremes, faults, and inserts that tell what was known.

#include "core/filters/standard.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/theory/models.hpp"
#include "tests/core/named_probes.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::enhanced;
using bloomlab::test::Implementation;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {}

TEST_CASE("a filter of one bit reports everything after one key", "[core][standard]") {
  for (const Probe& probe : bloomlab::test::probes()) {
    if (probe.only_k()) continue;
    for (const std::uint64_t k : {1U, 2U, 256U}) {
      Implementation<Standard> implementation({.m = 1, .k = k}, probe, 1);
      implementation.insert(keys(0, 1));
      CHECK(implementation.count_contained(keys(100, 500)) == 500);
      CHECK(implementation.filter().state().conditional_rate == 1.0);
    }
  }
}

TEST_CASE("positions reach beyond 32 bits", "[core][standard]") {
  constexpr std::uint64_t m = (std::uint64_t{1} << 32) + 1;
  Implementation<Standard> implementation({.m = m, .k = 2}, enhanced, 20);
  implementation.insert(keys(0, 20));
  const FilterState state = implementation.filter().state();
  CHECK(state.bits == m);
  CHECK(state.memory_bits == m + 63);
  CHECK(state.bits_set == 40);
  CHECK(implementation.count_contained(keys(0, 20)) == 20);
  CHECK(implementation.count_contained(keys(100, 1000)) == 0);
}

TEST_CASE("parameters out of range are refused before anything is allocated", "[core][standard]") {
  CHECK_THROWS_MATCHES(Standard({.m = 0, .k = 1}, enhanced), std::invalid_argument,
                       Message("standard: m is 0; it must be from 1 to 281474976710656"));
  CHECK_THROWS_AS(Standard({.m = max_filter_bits + 1, .k = 1}, enhanced), std::invalid_argument);
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 0}, enhanced), std::invalid_argument,
                       Message("standard: k is 0; it must be from 1 to 256"));
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 257}, enhanced), std::invalid_argument,
                       Message("standard: k is 257; it must be from 1 to 256"));
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 1}, enhanced, BitArray(11), 0),
                       std::invalid_argument, Message("standard: 11 bits were given for m = 10"));
}

TEST_CASE("a probe that cannot serve the parameters is refused", "[core][standard]") {
  CHECK_THROWS_MATCHES(
      Standard({.m = 10, .k = 2}, make_probe("double_hashing", "mask")), std::invalid_argument,
      Message("standard: the reduction mask does not take m = 10; choose multiply_shift or modulo, "
              "or a power of two for m"));
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 2}, make_probe("lab_shift_xor", "modulo")),
                       std::invalid_argument,
                       Message("standard: the probe lab_shift_xor has k = 5, not 2"));
}

TEST_CASE("too few digest words are refused", "[core][standard]") {
  const Probe independent = make_probe("independent", "modulo");
  const auto some = keys(0, 4);
  DigestBuffer buffer;
  const DigestBatch digests =
      Hasher::of<XxHash3_64>().digest(KeyBatch::integers(some, 8), 1, independent.need(3), buffer);
  Standard filter({.m = 100, .k = 4}, independent);
  CHECK_THROWS_MATCHES(filter.insert(digests), std::invalid_argument,
                       Message("the probe independent needs 4 words per key for k = 4; the digests "
                               "have 3"));
  CHECK_THROWS_AS(filter.count_contained(digests), std::invalid_argument);
  CHECK(filter.state().bits_set == 0);
}

// Estimates within five of their own standard deviations: fails by chance with probability 6e-7
// each (the third has the larger spread of three estimates); the seed is fixed.
TEST_CASE("set bits tell how many keys two filters hold, together and in common",
          "[core][standard]") {
  struct Sizes {
    std::uint64_t m, n;
  };
  for (const auto& [m, n] : {Sizes{2000, 200}, Sizes{1'000'000, 60'000}}) {
    const Standard::Parameters parameters{.m = m, .k = 7};
    const auto estimate = [&](const Standard& filter) {
      const auto answer =
          theory::evaluate(Standard::cardinality(parameters, filter.bits().popcount()));
      return std::pair(answer.number(), answer.number("sd"));
    };
    Implementation<Standard> a(parameters, make_probe("independent", "multiply_shift"), n);
    Implementation<Standard> b(parameters, make_probe("independent", "multiply_shift"), n);
    const std::uint64_t common = n / 4;
    a.insert(keys(0, n));
    b.insert(keys(n - common, n));
    const auto [n_a, sd_a] = estimate(a.filter());
    const auto [n_b, sd_b] = estimate(b.filter());
    CHECK(std::abs(n_a - static_cast<double>(n)) <= 5 * sd_a);
    a.filter().merge(b.filter());
    const auto [n_both, sd_both] = estimate(a.filter());
    CHECK(std::abs(n_both - static_cast<double>(2 * n - common)) <= 5 * sd_both);
    const double n_common = n_a + n_b - n_both;
    CHECK(std::abs(n_common - static_cast<double>(common)) <= 5 * (sd_a + sd_b + sd_both));
  }
}
