// The puzzle of the poisoned bottle, a first lesson in distinguishing many cases by few bits.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomlab::analysis::explain {

/// Fewest mice that find the one poisoned bottle of so many at once: ceil(log2 bottles).
/// Domain: 1 <= bottles <= 2^63.
[[nodiscard]] int mice_for(std::uint64_t bottles);

/// Whether mouse number `mouse` (from 0) drinks from bottle number `bottle` (from 1): whether that
/// digit of the number, counted from the right, is 1.
[[nodiscard]] bool drinks(int mouse, std::uint64_t bottle);

/// How many bottles mouse number `mouse` drinks from, of the bottles 1 .. bottles.
[[nodiscard]] std::uint64_t bottles_of(int mouse, std::uint64_t bottles);

/// The mice that die of a bottle, as their numbers, the largest first.
[[nodiscard]] std::vector<int> dead_mice(std::uint64_t bottle, int mice);

/// The bottle that the dead mice name: the sum of 2^mouse; where none died, the one bottle whose
/// digits, as many as there are mice, are all 0, which is 2^mice.
[[nodiscard]] std::uint64_t named_bottle(const std::vector<int>& dead, int mice);

/// Up to how many bottles every one is tried.
inline constexpr std::uint64_t most_tried_bottles = 1'000'000;

/// How many of the bottles 1 .. bottles are named rightly if they are the poisoned one. Domain:
/// bottles <= most_tried_bottles.
[[nodiscard]] std::uint64_t rightly_named(std::uint64_t bottles);

}  // namespace bloomlab::analysis::explain
