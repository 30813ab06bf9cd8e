// The loops that touch lines: the line of every key, once, on every target.

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "core/simd/line_touches.hpp"
#include "core/simd/targets.hpp"

namespace bloomlab::simd {

TEST_CASE("every key touches the first word of its line on every target", "[core][simd]") {
  const KeyedPermutation permutation(5);
  for (const std::uint64_t lines : {1U, 3U, 1000U}) {
    std::vector<std::uint64_t> memory(lines * LineTouches::words_a_line);
    for (std::size_t i = 0; i < memory.size(); i += 3) memory[i] = 1;
    for (const std::size_t size : {0U, 5U, 8U, 300U}) {
      std::vector<std::uint64_t> digests(size);
      std::uint64_t set = 0;
      std::vector<std::uint64_t> expected = memory;
      for (std::size_t i = 0; i < size; ++i) {
        digests[i] = permutation(i);
        const std::uint64_t word = (digests[i] >> 32) * lines >> 32 << 3;
        REQUIRE(LineTouches{lines}.first_word(digests[i]) == word);
        set += memory[word] & 1;
        expected[word] += 2;
      }
      for (const std::string& target : available_targets()) {
        INFO(target << ", " << lines << " lines, " << size << " keys");
        const ForcedTarget forced(target);
        for (const std::size_t lookahead : {0U, 24U}) {
          const BlockBatch batch{.digests = std::span<const std::uint64_t>(digests),
                                 .lookahead = lookahead};
          std::vector<std::uint64_t> written = memory;
          CHECK(read_lines({lines}, batch, memory) == set);
          write_lines({lines}, batch, written);
          CHECK(written == expected);
        }
      }
    }
  }
}

TEST_CASE("lines that half a digest cannot distinguish are distinguished by all of it",
          "[core][simd]") {
  const LineTouches touches{.lines = std::uint64_t{1} << 40};
  CHECK(touches.first_word(1) == 0);
  CHECK(touches.first_word(std::uint64_t{1} << 24) == 8);
  CHECK(touches.first_word(~std::uint64_t{0}) == ((std::uint64_t{1} << 40) - 1) * 8);
  // Memory of so many lines cannot be had: the digests are so small that only its first are read.
  for (const std::uint64_t lines :
       {std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 77, std::uint64_t{1} << 35}) {
    std::vector<std::uint64_t> memory(4200);
    std::vector<std::uint64_t> digests(300);
    for (std::size_t i = 0; i < digests.size(); ++i) digests[i] = KeyedPermutation(5)(i) >> 26;
    std::vector<std::uint64_t> expected = memory;
    for (const std::uint64_t digest : digests) expected[LineTouches{lines}.first_word(digest)] += 2;
    for (const std::string& target : available_targets()) {
      INFO(target << ", " << lines << " lines");
      const ForcedTarget forced(target);
      std::vector<std::uint64_t> written = memory;
      write_lines({lines}, {.digests = std::span<const std::uint64_t>(digests), .lookahead = 24},
                  written);
      CHECK(written == expected);
    }
  }
}

}  // namespace bloomlab::simd
