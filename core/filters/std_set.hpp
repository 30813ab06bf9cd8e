// The balanced tree of the standard library, keys and all.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/filters/exact_container.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

/// Integers in a std::set.
class OrderedIntegers {
 public:
  explicit OrderedIntegers(std::uint64_t* bytes) : keys_(Allocator(bytes)) {}
  void insert(std::span<const std::uint64_t> keys) { keys_.insert(keys.begin(), keys.end()); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return keys_.contains(key); }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<std::uint64_t>;
  std::set<std::uint64_t, std::less<>, Allocator> keys_;
};

/// Texts in a std::set.
class OrderedTexts {
 public:
  explicit OrderedTexts(std::uint64_t* bytes) : bytes_(bytes), keys_(Allocator(bytes)) {}
  OrderedTexts(const OrderedTexts&) = delete;
  OrderedTexts& operator=(const OrderedTexts&) = delete;
  OrderedTexts(OrderedTexts&&) = default;
  OrderedTexts& operator=(OrderedTexts&&) = default;
  ~OrderedTexts() {
    for (const std::string& key : keys_) *bytes_ -= heap_bytes(key);
  }
  void insert(std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) {
      if (!keys_.contains(key)) *bytes_ += heap_bytes(*keys_.emplace(key).first);
    }
  }
  [[nodiscard]] bool contains(std::string_view key) const { return keys_.contains(key); }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<std::string>;
  std::uint64_t* bytes_;
  std::set<std::string, TextLess, Allocator> keys_;
};

}  // namespace detail

/// std::set of the keys. Never errs.
class StdSet : public detail::ExactContainer<detail::OrderedIntegers, detail::OrderedTexts> {
 public:
  static constexpr std::string_view name = "std_set";
  static constexpr std::string_view summary = "exact: std::set of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::set";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of three pointers, a colour and the key, 40 bytes.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    constexpr std::uint64_t bits = 8 * 40;
    constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
    return n > impossible / bits ? impossible : n * bits;
  }
  /// A node for every step of a search that halves.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    return halving_lines(n, 1);
  }
};

}  // namespace bloomlab
