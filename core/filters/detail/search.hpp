// The ends of a property over integers: the smallest that has it, or the largest.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bloomlab::detail {

/// The smallest x in [low, high] with holds(x), for a property that stays once it holds; high + 1
/// where none has it. Gallops from `guess`, so a good guess costs few calls. low <= high < 2^63.
template <class Property>
[[nodiscard]] std::uint64_t smallest(std::uint64_t low, std::uint64_t high, std::uint64_t guess,
                                     Property&& holds) {
  // Everything below `fails` fails, and everything from `meets` on holds.
  std::uint64_t fails = low;
  std::uint64_t meets = high + 1;
  const std::uint64_t at = std::clamp(guess, low, high);
  if (holds(at)) {
    meets = at;
    for (std::uint64_t step = 1; fails < meets; step *= 2) {
      const std::uint64_t below = meets - std::min(step, meets - fails);
      if (!holds(below)) {
        fails = below + 1;
        break;
      }
      meets = below;
    }
  } else {
    fails = at + 1;
    for (std::uint64_t step = 1; fails < meets; step *= 2) {
      const std::uint64_t above = fails + std::min(step, meets - fails) - 1;
      if (holds(above)) {
        meets = above;
        break;
      }
      fails = above + 1;
    }
  }
  while (fails < meets) {
    const std::uint64_t middle = fails + (meets - fails) / 2;
    if (holds(middle)) {
      meets = middle;
    } else {
      fails = middle + 1;
    }
  }
  return meets;
}

/// The largest x in [low, high] with holds(x), for a property that holds up to some x; low - 1
/// where none has it. 1 <= low <= high < 2^63.
template <class Property>
[[nodiscard]] std::uint64_t largest(std::uint64_t low, std::uint64_t high, std::uint64_t guess,
                                    Property&& holds) {
  return smallest(low, high, guess, [&](std::uint64_t x) { return !holds(x); }) - 1;
}

}  // namespace bloomlab::detail
