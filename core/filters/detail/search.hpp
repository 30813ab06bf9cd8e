// The ends of a property over integers: the smallest that has it, or the largest.
#pragma once

#include <algorithm>
#include <cmath>
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

/// The smallest x in [low, high] with value(x) <= target, for a value that never rises; high + 1
/// where there is none. Follows the secant through the last two values, as both axes are
/// logarithmic, and halves where that does not help: from a fair guess a handful of calls.
/// 1 <= low <= high < 2^62; 0 < target < 1.
template <class Value>
[[nodiscard]] std::uint64_t smallest_within(std::uint64_t low, std::uint64_t high,
                                            std::uint64_t guess, double target, Value&& value) {
  // Everything below `fails` fails, and everything from `meets` on holds.
  std::uint64_t fails = low;
  std::uint64_t meets = high + 1;
  std::uint64_t at = std::clamp(guess, low, high);
  double slope = std::log(target);  // that of a Bloom filter half full
  double x_before = 0.0;
  double y_before = 0.0;
  for (int calls = 1;; ++calls) {
    const double found = value(at);
    (found <= target ? meets : fails) = found <= target ? at : at + 1;
    if (fails >= meets) return meets;
    const double x = std::log(static_cast<double>(at));
    const double y = std::log(found / target);
    if (calls > 1 && x != x_before) slope = (y - y_before) / (x - x_before);
    x_before = x;
    y_before = y;
    const double next = std::ceil(std::exp(x - y / slope));
    const std::uint64_t middle = fails + (meets - fails) / 2;
    const bool helps = slope < 0.0 && next < 0x1p62 && (calls < 8 || calls % 2 == 0);
    at = helps ? std::clamp(static_cast<std::uint64_t>(next), fails, meets - 1) : middle;
  }
}

}  // namespace bloomlab::detail
