// What a simulated application asks of its filter: was this key inserted? A test puts something
// else in the filter's place, to see that the counts of the simulation notice it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/bits/bit_array.hpp"

namespace bloomlab::experiments {

/// A set of keys that is asked one key after the other.
class Membership {
 public:
  Membership() = default;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  virtual ~Membership() = default;

  virtual void insert(std::string_view key) = 0;
  [[nodiscard]] virtual bool contains(std::string_view key) const = 0;
  virtual void clear() = 0;
  /// Called after the last insert and before the first question.
  virtual void ready() {}
  /// Inserts many, and how many of many it reports: a set that has a faster way takes it.
  virtual void insert(std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) insert(key);
  }
  [[nodiscard]] virtual std::uint64_t count_contained(
      std::span<const std::string_view> keys) const {
    std::uint64_t contained = 0;
    for (const std::string_view key : keys) contained += contains(key) ? 1 : 0;
    return contained;
  }
  /// The bits that would be sent; nothing where it has none.
  [[nodiscard]] virtual const BitArray* bits() const { return nullptr; }

  void insert(std::uint64_t key) { insert(view(key)); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return contains(view(key)); }

 private:
  [[nodiscard]] static std::string_view view(const std::uint64_t& key) {
    return {reinterpret_cast<const char*>(&key), sizeof key};
  }
};

/// Makes an empty one of m bits with k probes per key under a seed of the hash.
using MakeMembership = std::function<std::unique_ptr<Membership>(std::uint64_t m, std::uint64_t k,
                                                                 std::uint64_t seed)>;

/// A standard filter with xxhash3_64 and independent probes, the law of the closed forms.
[[nodiscard]] std::unique_ptr<Membership> standard_filter(std::uint64_t m, std::uint64_t k,
                                                          std::uint64_t seed);

/// The same filter of m bits, folded to `folded_to` of them.
[[nodiscard]] std::unique_ptr<Membership> folded_filter(std::uint64_t m, std::uint64_t folded_to,
                                                        std::uint64_t k, std::uint64_t seed);

/// The filter that a program makes who chooses nothing: the default of KeyedFilter (one evaluation
/// of multiply_mix_64 a key, remixed), whose rate is within 2 % of the closed forms' from m = 1000
/// on.
[[nodiscard]] std::unique_ptr<Membership> default_filter(std::uint64_t m, std::uint64_t k,
                                                         std::uint64_t seed);

/// The same with blocks of 512 bits, of which m is a multiple.
[[nodiscard]] std::unique_ptr<Membership> blocked_filter(std::uint64_t m, std::uint64_t k,
                                                         std::uint64_t seed);

/// The same with blocks of 8 lanes; m is a multiple of 256, and k is 8.
[[nodiscard]] std::unique_ptr<Membership> split_block_filter(std::uint64_t m, std::uint64_t k,
                                                             std::uint64_t seed);

/// The number of probes per key that suits so many bits per key: ln 2 times, rounded, at least 1.
[[nodiscard]] std::uint64_t fitting_probes(std::uint64_t bits_per_key);

}  // namespace bloomlab::experiments
