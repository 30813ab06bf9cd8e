// Words of one range: on every target what a loop over single words keeps.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "core/simd/word_range.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::simd {
namespace {

constexpr std::uint64_t largest = ~std::uint64_t{0};

struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

/// Random words, and those at and around the ends of the range.
std::vector<std::uint64_t> words_around(const Range& range, std::size_t count) {
  std::vector<std::uint64_t> words = test::keys(7, count);
  for (std::size_t i = 0; i + 4 <= count; i += 5) {
    const std::uint64_t ends[] = {range.first, range.last, range.first - 1, range.last + 1};
    words[i] = ends[i % 4];
  }
  return words;
}

}  // namespace

TEST_CASE("the words of a range are kept in their order, on every target", "[core][simd]") {
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const Range& range :
         {Range{0, largest}, Range{0, 0}, Range{largest, largest}, Range{1ULL << 62, 3ULL << 62},
          Range{(1ULL << 63) - 5, (1ULL << 63) + 5}, Range{0, largest / 3}}) {
      for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 8U, 9U, 31U, 1000U}) {
        INFO(target << ", " << range.first << " .. " << range.last << ", " << count << " words");
        const auto words = words_around(range, count);
        std::vector<std::uint64_t> expected;
        std::ranges::copy_if(words, std::back_inserter(expected), [&](std::uint64_t word) {
          return range.first <= word && word <= range.last;
        });
        std::vector<std::uint64_t> kept(count);
        kept.resize(keep_range(words, range.first, range.last, kept.data()));
        CHECK(kept == expected);
        std::vector<std::uint64_t> in_place = words;
        in_place.resize(keep_range(in_place, range.first, range.last, in_place.data()));
        CHECK(in_place == expected);
      }
    }
  }
}

}  // namespace bloomlab::simd
