// What a filter is asked for before there is one. How each filter answers stands beside it, in its
// `sizing()`; the search among its answers is core/filters/sizing.hpp.
#pragma once

#include <cstdint>
#include <optional>

namespace bloomlab {

/// What a filter is sized for: n keys and a rate to keep, or n keys and memory to use. With both it
/// is sized for the rate.
struct SizingGoal {
  std::uint64_t n = 0;                                      ///< distinct keys, >= 1
  std::optional<double> rate = std::nullopt;                ///< largest rate allowed, in (0, 1)
  std::optional<std::uint64_t> memory_bits = std::nullopt;  ///< most memory
};

/// What a filter can do beside answering.
struct Traits {
  bool takes_keys_later = true;  ///< false: built once from all keys
  bool deletes = false;          ///< forgets keys
  bool grows = false;            ///< takes more keys than planned and keeps its rate
  bool exact = false;            ///< keeps the keys themselves: never errs
  bool whole_hashes = false;     ///< keeps a hash of each key whole: errs where two are equal
};

/// Expected number of different cache lines of 64 bytes that a lookup reads, under ideal hashing.
struct LinesRead {
  double absent = 0.0;   ///< by an absent key
  double present = 0.0;  ///< by an inserted key
};

/// The shapes that a filter may take for a goal: core/filters/sizing.hpp.
template <class Parameters>
struct Sizing;

}  // namespace bloomlab
