// The keys in order in one array, searched by halving: the smallest exact structure that keeps
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/exact_container.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

namespace detail {

/// Keys in a sorted std::vector, each once.
/// @tparam Stored how a key is kept   @tparam Key how it comes
template <class Stored, class Key>
class SortedKeys {
 public:
  explicit SortedKeys(std::uint64_t* bytes) : bytes_(bytes), keys_(Allocator(bytes)) {}
  SortedKeys(const SortedKeys&) = delete;
  SortedKeys& operator=(const SortedKeys&) = delete;
  SortedKeys(SortedKeys&&) = default;
  SortedKeys& operator=(SortedKeys&&) = default;
  ~SortedKeys() { *bytes_ -= outside(); }

  /// Sorts the keys and merges them in: time grows with all keys held, so batches should be large.
  void insert(std::span<const Key> keys) {
    *bytes_ -= outside();
    const auto held = static_cast<std::ptrdiff_t>(keys_.size());
    keys_.insert(keys_.end(), keys.begin(), keys.end());
    std::sort(keys_.begin() + held, keys_.end());
    std::inplace_merge(keys_.begin(), keys_.begin() + held, keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    *bytes_ += outside();
  }
  [[nodiscard]] bool contains(Key key) const {
    return std::binary_search(keys_.begin(), keys_.end(), key, std::less<>());
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return keys_.size(); }

 private:
  using Allocator = CountingAllocator<Stored>;

  /// Bytes of the keys that are not in the vector.
  [[nodiscard]] std::uint64_t outside() const noexcept {
    std::uint64_t bytes = 0;
    if constexpr (std::is_same_v<Stored, std::string>) {
      for (const std::string& key : keys_) bytes += heap_bytes(key);
    }
    return bytes;
  }

  std::uint64_t* bytes_;
  std::vector<Stored, Allocator> keys_;
};

}  // namespace detail

/// Sorted std::vector of the keys. Never errs. What it allocates grows by doubling.
class SortedVector
    : public detail::ExactContainer<detail::SortedKeys<std::uint64_t, std::uint64_t>,
                                    detail::SortedKeys<std::string, std::string_view>> {
 public:
  static constexpr std::string_view name = "sorted_vector";
  static constexpr std::string_view summary = "exact: sorted std::vector of the keys";
  static constexpr std::string_view source = "ISO C++ 2020, std::vector, std::binary_search";

  using ExactContainer::ExactContainer;

  /// Bits for n keys of 8 bytes: up to twice as much as they need.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& /*p*/,
                                                 std::uint64_t n) noexcept {
    constexpr std::uint64_t bits = 2 * 64;
    constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
    return n > impossible / bits ? impossible : n * bits;
  }
  /// A line for every step of a search that halves, until a line of 8 keys is left.
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t n) {
    return halving_lines(n, 8);
  }
};

}  // namespace bloomlab
