// The balanced tree of the standard library, keys and all.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string_view>

#include "core/filters/exact_container.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {
namespace detail {

template <class Stored>
using OrderedKeys = std::set<Stored, std::less<>, CountingAllocator<Stored>>;

}  // namespace detail

/// std::set of the keys. Never errs.
class StdSet : public detail::ExactContainer<detail::OrderedKeys, detail::SetAccess> {
 public:
  static constexpr std::string_view name = "std_set";
  static constexpr std::string_view summary = "exact: std::set of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::set";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of three pointers, a colour and the key, 40 bytes.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    return detail::bits_of_nodes(n, 40);
  }
  /// A node for every step of a search that halves.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    return halving_lines(n, 1);
  }
};

}  // namespace bloomlab
