#include "core/bits/conditional_rate.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace bloomlab;

TEST_CASE("integer powers equal the exact ones where those are representable", "[core][rate]") {
  CHECK(integer_power(2.0, 10) == 1024.0);
  CHECK(integer_power(0.5, 256) == std::ldexp(1.0, -256));
  CHECK(integer_power(3.0, 5) == 243.0);
  CHECK(integer_power(0.7, 0) == 1.0);
  CHECK(integer_power(0.0, 3) == 0.0);
  CHECK(integer_power(1.0, 256) == 1.0);
}

TEST_CASE("the conditional rate is (X/m)^k", "[core][rate]") {
  CHECK(conditional_rate(0, 100, 7) == 0.0);
  CHECK(conditional_rate(100, 100, 7) == 1.0);
  CHECK(conditional_rate(50, 100, 7) == std::ldexp(1.0, -7));
  CHECK(conditional_rate(37, 100, 5) == Approx(std::pow(0.37, 5)).epsilon(1e-14));
  CHECK(conditional_rate(1ULL << 47, 1ULL << 48, 1) == 0.5);
}

TEST_CASE("the compound rate keeps small rates", "[core][rate]") {
  CHECK(either_rate(0.0, 1e-300) == 1e-300);
  CHECK(either_rate(1e-20, 1e-20) == Approx(2e-20).epsilon(1e-14));
  CHECK(either_rate(0.5, 0.5) == 0.75);
  CHECK(either_rate(1.0, 0.3) == 1.0);
}
