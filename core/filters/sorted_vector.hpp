// The keys in order in one array, searched by halving: the smallest exact structure that keeps
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/filters/exact_container.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

template <class Stored>
using SortedKeys = std::vector<Stored, CountingAllocator<Stored>>;

struct SortedAccess {
  /// Sorts the keys and merges them in: time grows with all keys held, so batches should be large.
  template <class Vector, class Key>
  static std::uint64_t insert(Vector& held, std::span<const Key> keys) {
    const std::uint64_t before = texts_outside(held);
    const auto old = static_cast<std::ptrdiff_t>(held.size());
    held.insert(held.end(), keys.begin(), keys.end());
    std::sort(held.begin() + old, held.end());
    std::inplace_merge(held.begin(), held.begin() + old, held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    return texts_outside(held) - before;
  }
  template <class Vector, class Key>
  static bool contains(const Vector& held, Key key) {
    return std::binary_search(held.begin(), held.end(), key, std::less<>());
  }
};

}  // namespace detail

/// Sorted std::vector of the keys. Never errs. What it allocates grows by doubling.
class SortedVector : public detail::ExactContainer<detail::SortedKeys, detail::SortedAccess> {
 public:
  static constexpr std::string_view name = "sorted_vector";
  static constexpr std::string_view summary = "exact: sorted std::vector of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::vector, std::binary_search";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: up to twice as much as they need.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    return detail::bits_of_nodes(n, 16);
  }
  /// A line for every step of a search that halves, until a line of 8 keys is left.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    return halving_lines(n, 8);
  }
};

}  // namespace bloomlab
