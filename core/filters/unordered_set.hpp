// The hash table of the standard library, keys and all: the usual exact answer.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/filters/exact_container.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

/// Integers in a std::unordered_set.
class HashedIntegers {
 public:
  explicit HashedIntegers(std::uint64_t* bytes) : keys_(Allocator(bytes)) {}
  void insert(std::span<const std::uint64_t> keys) { keys_.insert(keys.begin(), keys.end()); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return keys_.contains(key); }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<std::uint64_t>;
  std::unordered_set<std::uint64_t, std::hash<std::uint64_t>, std::equal_to<>, Allocator> keys_;
};

/// Texts in a std::unordered_set.
class HashedTexts {
 public:
  explicit HashedTexts(std::uint64_t* bytes) : bytes_(bytes), keys_(Allocator(bytes)) {}
  HashedTexts(const HashedTexts&) = delete;
  HashedTexts& operator=(const HashedTexts&) = delete;
  HashedTexts(HashedTexts&&) = default;
  HashedTexts& operator=(HashedTexts&&) = default;
  ~HashedTexts() {
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
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Allocator = CountingAllocator<std::string>;
  std::uint64_t* bytes_;
  std::unordered_set<std::string, Hash, std::equal_to<>, Allocator> keys_;
};

}  // namespace detail

/// std::unordered_set of the keys. Never errs.
class UnorderedSet : public detail::ExactContainer<detail::HashedIntegers, detail::HashedTexts> {
 public:
  static constexpr std::string_view name = "unordered_set";
  static constexpr std::string_view summary = "exact: std::unordered_set of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::unordered_set";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: nodes of 16 bytes, and up to 2.2 pointers a key to the buckets
  /// just after they grew.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    constexpr std::uint64_t bits = 8 * (16 + 18);
    constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
    return n > (impossible - 1024) / bits ? impossible : n * bits + 1024;
  }
  /// A bucket and a node.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return {2.0, 2.0};
  }
};

}  // namespace bloomlab
