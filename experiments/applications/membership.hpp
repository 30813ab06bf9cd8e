// What a simulated application asks of its filter: was this key inserted? A test puts something
// else in the filter's place, to see that the counts of the simulation notice it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// The number of probes per key that suits so many bits per key: ln 2 times, rounded, at least 1.
[[nodiscard]] std::uint64_t fitting_probes(std::uint64_t bits_per_key);

}  // namespace bloomlab::experiments
