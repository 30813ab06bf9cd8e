// A linked list of the keys, searched from its front: the naive answer, named by those who explain
// why one wants a filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/filters/exact_container.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

template <class Stored>
using ListedKeys = std::list<Stored, CountingAllocator<Stored>>;

struct ListAccess {
  template <class List, class Key>
  static std::uint64_t insert(List& list, std::span<const Key> keys) {
    std::uint64_t bytes = 0;
    for (const Key key : keys) {
      const auto& stored = list.emplace_back(key);
      if constexpr (std::is_same_v<Key, std::string_view>) bytes += heap_bytes(stored);
    }
    return bytes;
  }
  template <class List, class Key>
  static bool contains(const List& list, Key key) {
    return std::find(list.begin(), list.end(), key) != list.end();
  }
};

}  // namespace detail

/// std::list of the keys, equal ones as often as they came. Never errs; a lookup reads half of the
/// list for an inserted key and all of it for an absent key.
class LinearList : public detail::ExactContainer<detail::ListedKeys, detail::ListAccess> {
 public:
  static constexpr std::string_view name = "linear_list";
  static constexpr std::string_view summary = "exact: linked list of the keys, searched from front";
  static constexpr std::string_view source = "ISO C++ 2020, std::list";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of two pointers and the key, 24 bytes.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    return detail::bits_of_nodes(n, 24);
  }
  /// A node for every key passed.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    const auto keys = static_cast<double>(n);
    return {keys, keys / 2.0};
  }
};

}  // namespace bloomlab
