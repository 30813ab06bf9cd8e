// Chi-square tests of even counts, from sums of squares.
#include "statistics/uniformity.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>

namespace bloomlab::statistics {

TEST_CASE("the statistic is Pearson's", "[statistics][uniformity]") {
  // Sixty throws of a die, 5, 8, 9, 8, 10, 20 of each side: 13.4 with 5 degrees of freedom, above
  // which the chi-square law has 0.0199.
  const std::array<std::uint64_t, 1> squares = {25 + 64 + 81 + 64 + 100 + 400};
  const UniformityTest test = test_uniformity(squares, 60, 6);
  CHECK(test.statistic == Approx(13.4).epsilon(1e-12));
  CHECK(test.degrees == 5);
  CHECK(test.p_value == Approx(2 * 0.0199).epsilon(0.005));
  CHECK(test.z == Approx(8.4 / 3.1622776601683795).epsilon(1e-12));
}

TEST_CASE("counts that are too even are a fault as well", "[statistics][uniformity]") {
  const std::array<std::uint64_t, 1> even = {100 * 100 * 1000};
  const UniformityTest test = test_uniformity(even, 100'000, 1000);
  CHECK(test.statistic == 0);
  CHECK(test.p_value < 1e-12);
  const std::array<std::uint64_t, 1> usual = {1000 * 100 * 100 + 1000 * 100};
  CHECK(test_uniformity(usual, 100'000, 1000).p_value > 0.9);
}

TEST_CASE("p-values too small for a double are zero", "[statistics][uniformity]") {
  // Counts as even as 131 072 keys over 4095 places can be, and all keys in one place.
  const std::array<std::uint64_t, 1> nearly_even = {4063 * 32 * 32 + 32 * 33 * 33};
  CHECK(test_uniformity(nearly_even, 131'072, 4095).p_value == 0);
  const std::array<std::uint64_t, 1> one_place = {std::uint64_t{131'072} * 131'072};
  CHECK(test_uniformity(one_place, 131'072, 4096).p_value == 0);
  const std::array<std::uint64_t, 1> uneven = {131'072 * 33 + 131'072 / 2};
  CHECK(test_uniformity(uneven, 131'072, 4096).p_value > 0);
}

TEST_CASE("several samples are tested together", "[statistics][uniformity]") {
  const std::array<std::uint64_t, 2> squares = {734, 734};
  const UniformityTest test = test_uniformity(squares, 60, 6);
  CHECK(test.statistic == Approx(26.8));
  CHECK(test.degrees == 10);
}

TEST_CASE("sums of squares that cannot be are refused", "[statistics][uniformity]") {
  const std::array<std::uint64_t, 1> few = {599};
  const std::array<std::uint64_t, 1> many = {3601};
  const std::array<std::uint64_t, 1> right = {600};
  CHECK_NOTHROW(test_uniformity(right, 60, 6));
  CHECK_THROWS_AS(test_uniformity(few, 60, 6), std::invalid_argument);
  CHECK_THROWS_AS(test_uniformity(many, 60, 6), std::invalid_argument);
  CHECK_THROWS_AS(test_uniformity(right, 60, 1), std::invalid_argument);
  CHECK_THROWS_WITH(test_uniformity(right, 29, 6),
                    Catch::StartsWith("test_uniformity: draws is 29"));
  CHECK_THROWS_AS(test_uniformity({}, 60, 6), std::invalid_argument);
}

}  // namespace bloomlab::statistics
