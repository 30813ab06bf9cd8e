// Rounds over marked keys: on every target what a loop over single keys leaves.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/simd/marked_keys.hpp"
#include "core/simd/targets.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::simd {
namespace {

/// Lengths around those of vectors, and some more.
const std::vector<std::size_t> counts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 200, 1024};

/// A round, with the memory that it may read and write behind its ends.
struct Round {
  std::vector<std::uint8_t> marks;
  std::vector<std::uint64_t> positions;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> smallest;
  std::size_t count = 0;
  std::size_t marks_met = 1;

  [[nodiscard]] std::uint8_t mark(std::size_t met, std::size_t key) const {
    return marks[positions[met * count + key]];
  }
};

/// @param empty_of_8 of eight marks so many are 0, on average
Round random_round(std::size_t count, std::size_t marks_met, std::size_t marks,
                   std::uint64_t empty_of_8) {
  const std::size_t places = count * marks_met;
  const auto words = test::keys(count + 1, marks + places + 2 * count);
  Round round;
  round.count = count;
  round.marks_met = marks_met;
  for (std::size_t i = 0; i < marks; ++i) {
    const bool is_empty = words[i] % 8 < empty_of_8;
    round.marks.push_back(is_empty ? 0 : static_cast<std::uint8_t>(words[i] >> 8 | 1));
  }
  round.marks.resize(marks + marks_padding, 0xee);
  for (std::size_t i = 0; i < places; ++i) {
    round.positions.push_back(i == 0 ? marks - 1 : words[marks + i] % marks);
  }
  for (std::size_t j = 0; j < count; ++j) {
    round.keys.push_back(words[marks + places + j]);
    round.smallest.push_back(1 + words[marks + places + count + j] % 255);
  }
  round.positions.resize(places + positions_padding, ~std::uint64_t{0});
  return round;
}

struct Outcome {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> smallest;
  std::array<std::size_t, max_marks_met> at_least = {};
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome one_by_one(const Round& round, std::uint8_t least) {
  Outcome outcome;
  for (std::size_t j = 0; j < round.count; ++j) {
    std::uint64_t smallest = round.smallest[j];
    for (std::size_t i = 0; i < round.marks_met; ++i) {
      smallest = std::min<std::uint64_t>(smallest, round.mark(i, j));
      outcome.at_least[i] += smallest >= least - i ? 1 : 0;
    }
    if (smallest == 0) continue;
    outcome.keys.push_back(round.keys[j]);
    outcome.smallest.push_back(smallest);
  }
  return outcome;
}

Outcome at_once(const Round& round, std::uint8_t least, bool in_memory) {
  Outcome outcome;
  outcome.keys.resize(round.count + marks_padding);
  outcome.smallest.resize(round.count + marks_padding);
  const MarkedCount count = keep_marked(
      round.marks.data(), {round.positions.data(), round.count, round.marks_met, in_memory},
      {round.keys.data(), round.smallest.data()}, least,
      {outcome.keys.data(), outcome.smallest.data()});
  outcome.keys.resize(count.left);
  outcome.smallest.resize(count.left);
  outcome.at_least = count.at_least;
  return outcome;
}

void check_rounds(std::size_t count, std::size_t marks_met) {
  for (const std::size_t marks : {std::size_t{1}, std::size_t{9}, std::size_t{5000}}) {
    for (const std::uint64_t empty_of_8 : {0U, 1U, 4U, 8U}) {
      const Round round = random_round(count, marks_met, marks, empty_of_8);
      for (const int number : {4, 128, 255}) {
        const auto least = static_cast<std::uint8_t>(number);
        INFO(count << " keys, " << marks_met << " of " << marks << " marks, " << empty_of_8
                   << " of 8 empty, least " << number);
        const Outcome expected = one_by_one(round, least);
        CHECK((at_once(round, least, false) == expected));
        CHECK((at_once(round, least, true) == expected));
      }
    }
  }
}

}  // namespace

TEST_CASE("a round keeps the keys that meet marks, on every target", "[core][simd]") {
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    INFO(target);
    for (const std::size_t count : counts) {
      for (const std::size_t marks_met : {1U, 2U, 4U}) check_rounds(count, marks_met);
    }
  }
}

TEST_CASE("marks are counted by their least number, on every target", "[core][simd]") {
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (const std::size_t size : {0U, 1U, 15U, 16U, 63U, 64U, 65U, 8191U, 8192U, 20'011U}) {
      for (const std::size_t numbers : {0U, 1U, 2U, 5U, 6U, 10U, 24U, 255U}) {
        for (const bool all_equal : {false, true}) {
          // Equal marks of the largest number are most of one kind, in every vector.
          std::vector<std::uint8_t> marks(size, 255);
          const auto words = test::keys(size + 1, size);
          for (std::size_t j = 0; j < size && !all_equal; ++j) {
            marks[j] = static_cast<std::uint8_t>(words[j]);
          }
          const std::size_t least_most = std::max<std::size_t>(numbers, 1);
          for (const std::size_t most : {least_most, std::size_t{255}}) {
            INFO(target << ", " << size << " marks, " << numbers << " numbers up to " << most);
            std::vector<std::uint64_t> expected(numbers);
            for (std::size_t i = 0; i < numbers; ++i) {
              expected[i] = static_cast<std::uint64_t>(std::ranges::count_if(
                  marks, [&](std::uint8_t mark) { return mark >= most - i; }));
            }
            std::vector<std::uint64_t> counted(numbers, 7);
            count_marks(marks, static_cast<std::uint8_t>(most), counted);
            CHECK(counted == expected);
          }
        }
      }
    }
  }
}

}  // namespace bloomlab::simd
