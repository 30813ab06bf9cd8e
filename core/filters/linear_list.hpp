// A linked list of the keys, searched from its front: the naive answer, named by those who explain
// why one wants a filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <string_view>

#include "core/filters/exact_container.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

/// Integers in a std::list.
class ListedIntegers {
 public:
  explicit ListedIntegers(std::uint64_t* bytes) : keys_(Allocator(bytes)) {}
  void insert(std::span<const std::uint64_t> keys) {
    keys_.insert(keys_.end(), keys.begin(), keys.end());
  }
  [[nodiscard]] bool contains(std::uint64_t key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<std::uint64_t>;
  std::list<std::uint64_t, Allocator> keys_;
};

/// Texts in a std::list.
class ListedTexts {
 public:
  explicit ListedTexts(std::uint64_t* bytes) : bytes_(bytes), keys_(Allocator(bytes)) {}
  ListedTexts(const ListedTexts&) = delete;
  ListedTexts& operator=(const ListedTexts&) = delete;
  ListedTexts(ListedTexts&&) = default;
  ListedTexts& operator=(ListedTexts&&) = default;
  ~ListedTexts() {
    for (const std::string& key : keys_) *bytes_ -= heap_bytes(key);
  }
  void insert(std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) *bytes_ += heap_bytes(keys_.emplace_back(key));
  }
  [[nodiscard]] bool contains(std::string_view key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<std::string>;
  std::uint64_t* bytes_;
  std::list<std::string, Allocator> keys_;
};

}  // namespace detail

/// std::list of the keys, equal ones as often as they came. Never errs; a lookup reads half of the
/// list for an inserted key and all of it for an absent key.
class LinearList : public detail::ExactContainer<detail::ListedIntegers, detail::ListedTexts> {
 public:
  static constexpr std::string_view name = "linear_list";
  static constexpr std::string_view summary = "exact: linked list of the keys, searched from front";
  static constexpr std::string_view source = "ISO C++ 2020, std::list";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of two pointers and the key, 24 bytes.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    constexpr std::uint64_t bits = 8 * 24;
    constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
    return n > impossible / bits ? impossible : n * bits;
  }
  /// A node for every key passed.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    const auto keys = static_cast<double>(n);
    return {keys, keys / 2.0};
  }
};

}  // namespace bloomlab
