// The searches over integers, for every small range, guess and answer.

#include "core/filters/detail/search.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace bloomlab;

namespace {

/// A property of the integers from `first` on that may be asked within [low, high] alone.
struct Asked {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t first;
  int calls = 0;
  bool left_range = false;

  bool operator()(std::uint64_t x) {
    ++calls;
    left_range = left_range || x < low || x > high;
    return x >= first;
  }
};

constexpr std::uint64_t most = 40;

/// Calls use(low, high, guess, first) for all ranges up to `most`, guesses within and around them,
/// and answers; first == high + 1 where nothing has the property.
template <class Use>
void for_each_search(const Use& use) {
  for (std::uint64_t low = 1; low <= most; low += low < 4 ? 1 : 5) {
    for (std::uint64_t high = low; high <= most; high += high < low + 9 ? 1 : 6) {
      for (std::uint64_t guess = low - 1; guess <= high + 1; ++guess) {
        for (std::uint64_t first = low; first <= high + 1; ++first) use(low, high, guess, first);
      }
    }
  }
}

}  // namespace

TEST_CASE("the smallest with a property and the largest are found within the range",
          "[core][search]") {
  for_each_search(
      [](std::uint64_t low, std::uint64_t high, std::uint64_t guess, std::uint64_t first) {
        Asked holds{low, high, first};
        const std::uint64_t smallest = detail::smallest(low, high, guess, holds);
        Asked fails{low, high, first};
        const std::uint64_t largest =
            detail::largest(low, high, guess, [&](std::uint64_t x) { return !fails(x); });
        if (smallest == first && largest == first - 1 && !holds.left_range && !fails.left_range)
          return;
        INFO("in " << low << " .. " << high << " from " << guess);
        CHECK(smallest == first);
        CHECK(largest == first - 1);
        CHECK_FALSE(holds.left_range);
        CHECK_FALSE(fails.left_range);
      });
  SUCCEED("all ranges");
}

TEST_CASE("a search costs as many calls as the guess is bad", "[core][search]") {
  constexpr std::uint64_t high = std::uint64_t{1} << 60;
  const auto calls = [](std::uint64_t guess, std::uint64_t first) {
    Asked holds{1, high, first};
    CHECK(detail::smallest(1, high, guess, holds) == first);
    CHECK_FALSE(holds.left_range);
    return holds.calls;
  };
  CHECK(calls(1'000'000, 1'000'000) == 2);
  CHECK(calls(1'000'000, 1'000'001) == 2);
  // Twice the logarithm of how far the guess is off, and two.
  for (std::uint64_t off = 1; off < std::uint64_t{1} << 50; off *= 4) {
    const int most_calls = 2 * (64 - __builtin_clzll(off)) + 2;
    CHECK(calls(std::uint64_t{1} << 52, (std::uint64_t{1} << 52) + off) <= most_calls);
    CHECK(calls(std::uint64_t{1} << 52, (std::uint64_t{1} << 52) - off) <= most_calls);
  }
  CHECK(calls(high, 1) <= 62);
  CHECK(calls(1, high) <= 122);
}

TEST_CASE("the smallest with a value within a target is found, and by few calls",
          "[core][search]") {
  // (1/2)^(x / bits): a filter that is half full, with x bits a key.
  for (const double bits : {0.5, 1.44, 7.0, 1000.0}) {
    for (const double target : {0.5, 0.1, 1e-3, 1e-9}) {
      const auto rate = [&](double x) { return std::exp2(-x / bits); };
      std::uint64_t expected = 1;
      while (rate(static_cast<double>(expected)) > target) ++expected;
      for (const std::uint64_t guess :
           {std::uint64_t{1}, expected, expected + 7, std::uint64_t{1} << 20}) {
        Asked asked{1, std::uint64_t{1} << 20, 0};
        const std::uint64_t found =
            detail::smallest_within(1, asked.high, guess, target, [&](std::uint64_t x) {
              asked(x);
              return rate(static_cast<double>(x));
            });
        INFO(bits << " bits, target " << target << ", from " << guess);
        CHECK(found == expected);
        CHECK(asked.calls <= (guess <= expected + 7 && guess >= expected ? 6 : 40));
        CHECK_FALSE(asked.left_range);
      }
    }
  }
  CHECK(detail::smallest_within(1, 50, 10, 0.1, [](std::uint64_t) { return 0.5; }) == 51);
  CHECK(detail::smallest_within(3, 50, 10, 0.1, [](std::uint64_t) { return 0.1; }) == 3);
}

TEST_CASE("a value that falls in steps is met at its step", "[core][search]") {
  for_each_search(
      [](std::uint64_t low, std::uint64_t high, std::uint64_t guess, std::uint64_t first) {
        Asked asked{low, high, first};
        const std::uint64_t found = detail::smallest_within(
            low, high, guess, 0.25, [&](std::uint64_t x) { return asked(x) ? 0.25 : 0.75; });
        if (found == first && !asked.left_range) return;
        INFO("in " << low << " .. " << high << " from " << guess);
        CHECK(found == first);
        CHECK_FALSE(asked.left_range);
      });
  // Where the secant does not help, every second call from the eighth on halves the range.
  constexpr std::uint64_t high = std::uint64_t{1} << 40;
  for (const std::uint64_t first : {std::uint64_t{1}, high / 3, high - 5, high, high + 1}) {
    Asked asked{1, high, first};
    const std::uint64_t found = detail::smallest_within(
        1, high, 1000, 0.25, [&](std::uint64_t x) { return asked(x) ? 0.25 : 0.75; });
    CHECK(found == first);
    CHECK(asked.calls <= 8 + 2 * 41);
  }
}
