// Rates by counting every possible outcome: for filters so small that all can be listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomlab::theory {

/// The share of outcomes in which a query's bits are all set, where each of n keys and the query
/// draw one of the equally likely `choices`, each the mask of bits that it sets or asks.
inline double counted_rate(const std::vector<std::uint32_t>& choices, int n) {
  std::uint64_t positives = 0;
  std::uint64_t outcomes = 0;
  const auto extend = [&](const auto& self, std::uint32_t filter, int keys) -> void {
    if (keys > 0) {
      for (const std::uint32_t choice : choices) self(self, filter | choice, keys - 1);
      return;
    }
    for (const std::uint32_t query : choices) {
      ++outcomes;
      positives += (query & ~filter) == 0 ? 1U : 0U;
    }
  };
  extend(extend, 0, n);
  return static_cast<double>(positives) / static_cast<double>(outcomes);
}

/// The masks of k positions with replacement among `bits` bits from `first` on.
inline std::vector<std::uint32_t> masks_with_replacement(int bits, int k, int first = 0) {
  std::vector<std::uint32_t> masks{0};
  for (int probe = 0; probe < k; ++probe) {
    std::vector<std::uint32_t> longer;
    for (const std::uint32_t mask : masks) {
      for (int bit = 0; bit < bits; ++bit) longer.push_back(mask | 1U << (first + bit));
    }
    masks = longer;
  }
  return masks;
}

/// Every pair of one mask from each list, merged.
inline std::vector<std::uint32_t> merged(const std::vector<std::uint32_t>& a,
                                         const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> pairs;
  for (const std::uint32_t one : a) {
    for (const std::uint32_t other : b) pairs.push_back(one | other);
  }
  return pairs;
}

}  // namespace bloomlab::theory
