// The hash table of the standard library, keys and all: the usual exact answer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>

#include "core/filters/exact_container.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

/// Of texts and of views of them, so that a lookup copies nothing.
struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};
template <class Stored>
using HashedKeys = std::unordered_set<
    Stored, std::conditional_t<std::is_same_v<Stored, std::string>, TextHash, std::hash<Stored>>,
    std::equal_to<>, CountingAllocator<Stored>>;

}  // namespace detail

/// std::unordered_set of the keys. Never errs.
class UnorderedSet : public detail::ExactContainer<detail::HashedKeys, detail::SetAccess> {
 public:
  static constexpr std::string_view name = "unordered_set";
  static constexpr std::string_view summary = "exact: std::unordered_set of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::unordered_set";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of 16 bytes, and up to 2.2 pointers a key to the buckets
  /// just after they grew.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    return detail::bits_of_nodes(n, 16 + 18, 1024);
  }
  /// A bucket and a node.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return {2.0, 2.0};
  }
};

}  // namespace bloomlab
