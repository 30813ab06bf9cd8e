// A program outside the project: units that are compiled for different processors share a filter.
#include <iostream>

#include "units.hpp"

namespace {

bool named_example_is_right() {
  bloomlab::KeyedFilter<bloomlab::XxHash3_64, bloomlab::Standard> seen({.m = 1 << 20, .k = 7});
  seen.insert("a text");
  seen.insert(42);
  return seen.contains("a text") == bloomlab::Answer::maybe &&
         seen.contains(42) == bloomlab::Answer::maybe &&
         seen.contains("another") == bloomlab::Answer::absent;
}

template <class Filter, class Insert, class Count, class OtherInsert, class OtherCount>
bool units_agree(Filter one, Insert insert, Count count, OtherInsert other_insert,
                 OtherCount other_count) {
  Filter other = one;
  insert(one, 0, 20000);
  other_insert(other, 0, 20000);
  return one == other && count(one, 0, 20000) == 20000 &&
         count(one, 20000, 200000) == other_count(one, 20000, 200000);
}

// Also for filters of more bits than half a word counts.
bool positions_agree() {
  std::uint64_t word = 1;
  for (int bits = 1; bits <= 40; ++bits) {
    const std::uint64_t least = std::uint64_t{1} << (bits - 1);
    for (const std::uint64_t m : {least, least + least / 3, 2 * least - 1}) {
      for (std::size_t first = 0; first < 30; first += 3) {
        word = word * 6364136223846793005U + 1442695040888963407U;
        for (const std::uint64_t one : {word, ~std::uint64_t{0}}) {
          if (plain::eight_positions(one, first, m) != vectors::eight_positions(one, first, m)) {
            return false;
          }
        }
      }
    }
  }
  return true;
}

}  // namespace

int main() {
  const bool right =
      named_example_is_right() && positions_agree() &&
      units_agree(Classic({.m = 200000, .k = 12}), plain::insert_classic, plain::count_classic,
                  vectors::insert_classic, vectors::count_classic) &&
      units_agree(Lines::for_items(20000, 0.01), plain::insert_lines, plain::count_lines,
                  vectors::insert_lines, vectors::count_lines) &&
      units_agree(Classic::for_items(20000, 0.01), plain::insert_classic, plain::count_classic,
                  vectors::insert_classic, vectors::count_classic);
  std::cout << (right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}
