// The partitioned filter: its slices, its rate, its faults.

#include "core/filters/partitioned.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/core/measured_rate.hpp"
#include "tests/core/named_probes.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::check_rate;
using bloomlab::test::Implementation;
using bloomlab::test::independent;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

std::uint64_t set_in_slice(const Partitioned& filter, std::uint64_t slice) {
  std::uint64_t count = 0;
  for (std::uint64_t i = filter.slice_begin(slice); i < filter.slice_begin(slice + 1); ++i) {
    count += filter.bits().test(i) ? 1 : 0;
  }
  return count;
}
}  // namespace

TEST_CASE("a key sets one bit in every slice", "[core][partitioned]") {
  for (const Probe& probe : bloomlab::test::probes()) {
    const Partitioned::Parameters parameters{.m = 1003, .k = 5};
    if (Partitioned::check(parameters, probe)) continue;
    Implementation<Partitioned> implementation(parameters, probe, 1);
    implementation.insert(keys(0, 1));
    CHECK(implementation.filter().state().bits_set == 5);
    for (std::uint64_t slice = 0; slice < 5; ++slice) {
      CHECK(set_in_slice(implementation.filter(), slice) == 1);
    }
  }
}

TEST_CASE("the first slices are one bit longer where k does not divide m", "[core][partitioned]") {
  const Partitioned filter({.m = 23, .k = 5}, independent);
  const std::vector<std::uint64_t> begins = {0, 5, 10, 15, 19, 23};
  for (std::uint64_t i = 0; i < begins.size(); ++i) CHECK(filter.slice_begin(i) == begins[i]);
}

TEST_CASE("every bit of every slice can be reached", "[core][partitioned]") {
  // 23 bits, 2000 keys: a bit stays zero with probability (4/5)^2000.
  Implementation<Partitioned> implementation({.m = 23, .k = 5}, independent, 2000);
  implementation.insert(keys(0, 2000));
  CHECK(implementation.filter().state().bits_set == 23);
  CHECK(implementation.filter().state().conditional_rate == 1.0);
}

TEST_CASE("the conditional rate is the product over the slices", "[core][partitioned]") {
  Implementation<Partitioned> implementation({.m = 1001, .k = 3}, independent, 100);
  implementation.insert(keys(0, 100));
  double rate = 1.0;
  std::uint64_t bits_set = 0;
  for (std::uint64_t slice = 0; slice < 3; ++slice) {
    const std::uint64_t set = set_in_slice(implementation.filter(), slice);
    rate *= static_cast<double>(set) / (slice < 2 ? 334.0 : 333.0);
    bits_set += set;
  }
  CHECK(implementation.filter().state().conditional_rate == rate);
  CHECK(implementation.filter().state().bits_set == bits_set);
}

TEST_CASE("the rate of a partitioned filter is its closed form", "[core][partitioned]") {
  check_rate<Partitioned>({.m = 64, .k = 4}, {.n = 10, .trials = 2000, .absent_keys = 500});
  check_rate<Partitioned>({.m = 1003, .k = 7}, {.n = 100, .trials = 1000, .absent_keys = 1000});
  check_rate<Partitioned>({.m = 480'001, .k = 6},
                          {.n = 60'000, .trials = 30, .absent_keys = 40'000});
}

TEST_CASE("parameters of a partitioned filter are checked", "[core][partitioned]") {
  CHECK_THROWS_MATCHES(Partitioned({.m = 4, .k = 5}, independent), std::invalid_argument,
                       Message("partitioned: m is 4 with k = 5; every slice needs a bit: choose m "
                               "of 5 or more, or a smaller k"));
  CHECK_THROWS_MATCHES(Partitioned({.m = 4, .k = 0}, independent), std::invalid_argument,
                       Message("partitioned: k is 0; it must be from 1 to 256"));
  CHECK_THROWS_MATCHES(
      Partitioned({.m = 65, .k = 4}, make_probe("independent", "mask")), std::invalid_argument,
      Message("partitioned: the reduction mask does not take slices of 16 and 17 bits; choose "
              "multiply_shift or modulo, or m = k times a power of two"));
  CHECK_THROWS_MATCHES(Partitioned({.m = 64, .k = 4}, make_probe("lab_shift_xor", "modulo")),
                       std::invalid_argument,
                       Message("partitioned: the probe lab_shift_xor has k = 5, not 4"));
  CHECK_NOTHROW(Partitioned({.m = 64, .k = 4}, make_probe("independent", "mask")));
}
