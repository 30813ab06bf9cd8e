#include "core/keys/keyed_permutation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/keys/keyed_permutation_32.hpp"
#include "core/simd/targets.hpp"

using namespace bloomlab;

TEST_CASE("speck64/128 equals the published test vector", "[core][keys]") {
  const KeyedPermutation cipher({0x1b1a1918, 0x13121110, 0x0b0a0908, 0x03020100});
  CHECK(cipher(0x3b7265747475432dULL) == 0x8c6fa548454e028bULL);
}

TEST_CASE("speck32/64 equals the published test vector", "[core][keys]") {
  const KeyedPermutation32 cipher(0x1918111009080100ULL);
  CHECK(cipher(0x6574694cU) == 0xa86842f2U);
}

TEST_CASE("a 32-bit range is the images one by one, and across 2^32", "[core][keys]") {
  const KeyedPermutation32 permutation(99);
  std::vector<std::uint64_t> out(100);
  permutation.apply_range(~0U - 20, out);
  for (std::uint32_t i = 0; i < 100; ++i) REQUIRE(out[i] == permutation(~0U - 20 + i));
}

TEST_CASE("distinct 32-bit numbers have distinct images", "[core][keys]") {
  const KeyedPermutation32 permutation(7);
  std::vector<std::uint64_t> images(1 << 20);
  permutation.apply_range(0, images);
  std::ranges::sort(images);
  CHECK(std::ranges::adjacent_find(images) == images.end());
  CHECK(images.back() <= 0xffffffffU);
}

TEST_CASE("a seed is the low half of the cipher's key", "[core][keys]") {
  const KeyedPermutation seeded(0x1122334455667788ULL);
  const KeyedPermutation keyed({0, 0, 0x11223344, 0x55667788});
  CHECK(seeded(12345) == keyed(12345));
}

TEST_CASE("a range is the images one by one, at any length, across 2^64, on every target",
          "[core][keys][simd]") {
  const KeyedPermutation permutation(99);
  for (const std::string& target : simd::available_targets()) {
    const simd::ForcedTarget forced(target);
    for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 64U, 1000U, 3000U}) {
      for (const std::uint64_t first : {0ULL, 1ULL << 32, (1ULL << 33) - 5, ~0ULL - 20}) {
        INFO(target << ", " << size << " numbers from " << first);
        std::vector<std::uint64_t> out(size);
        permutation.apply_range(first, out);
        for (std::size_t i = 0; i < size; ++i) REQUIRE(out[i] == permutation(first + i));
      }
    }
  }
}

TEST_CASE("numbers in any order are replaced by their images", "[core][keys]") {
  const KeyedPermutation permutation(99);
  for (const std::size_t size : {0U, 1U, 31U, 32U, 33U, 100U}) {
    std::vector<std::uint64_t> numbers(size);
    KeyedPermutation(5).apply_range(0, numbers);
    std::vector<std::uint64_t> images = numbers;
    permutation.apply(images);
    for (std::size_t i = 0; i < size; ++i) REQUIRE(images[i] == permutation(numbers[i]));
  }
}

TEST_CASE("distinct numbers have distinct images", "[core][keys]") {
  const KeyedPermutation permutation(7);
  std::vector<std::uint64_t> images(1 << 20);
  permutation.apply_range(0, images);
  std::ranges::sort(images);
  CHECK(std::ranges::adjacent_find(images) == images.end());
}

TEST_CASE("two seeds are two permutations", "[core][keys]") {
  std::vector<std::uint64_t> one(1000);
  std::vector<std::uint64_t> other(1000);
  KeyedPermutation(1).apply_range(0, one);
  KeyedPermutation(2).apply_range(0, other);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < one.size(); ++i) equal += one[i] == other[i] ? 1 : 0;
  CHECK(equal == 0);
}
