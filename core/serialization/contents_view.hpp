// The contents of a filter as pieces of memory, nothing copied: what is compared, summed up and
// written at the speed of memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "core/bits/bit_array.hpp"
#include "core/bits/packed_array.hpp"
#include "core/bits/zeroed_memory.hpp"

namespace bloomlab {

/// The words that a filter's contents() visits, in order. Views: the filter must outlive it and not
/// change.
class ContentsView {
 public:
  static constexpr bool reading = false;

  void operator()(std::uint64_t value) {
    numbers_.push_back(value);
    pieces_.emplace_back(&numbers_.back(), 1);
  }
  void operator()(const BitArray& bits) { pieces_.push_back(bits.words()); }
  void operator()(const PackedArray& values) { pieces_.push_back(values.words()); }
  void operator()(const ZeroedMemory& memory) { pieces_.push_back(memory.words()); }
  void require(std::uint64_t /*bits*/) noexcept {}
  void check(bool /*holds*/, std::string_view /*what*/) noexcept {}

  [[nodiscard]] std::span<const std::span<const std::uint64_t>> pieces() const& noexcept {
    return pieces_;
  }
  void pieces() const&& = delete;

  friend bool operator==(const ContentsView& one, const ContentsView& other) {
    return std::ranges::equal(one.pieces_, other.pieces_,
                              [](auto a, auto b) { return std::ranges::equal(a, b); });
  }

 private:
  std::deque<std::uint64_t> numbers_;  // which never move
  std::vector<std::span<const std::uint64_t>> pieces_;
};

/// Whether two filters of the same parameters have the same contents.
template <class Filter>
[[nodiscard]] bool same_contents(const Filter& one, const Filter& other) {
  ContentsView view_of_one;
  ContentsView view_of_other;
  Filter::contents(one, view_of_one);
  Filter::contents(other, view_of_other);
  return view_of_one == view_of_other;
}

}  // namespace bloomlab
