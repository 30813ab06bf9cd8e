// A keyed bijection of the 64-bit numbers: the block cipher Speck64/128.
// Source: Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers 2013, "The SIMON and SPECK
// families of lightweight block ciphers", IACR ePrint 2013/404.
//
// Distinct counters give distinct keys, so that inserted keys and absent keys are disjoint without
// a set to remember them in; and an add-rotate-xor cipher shares no constant and no round with any
// hash of the catalogue, so that keys and hashes do not conspire.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bloomlab {

/// Speck64/128 under one key. A number is encrypted as the block (high half, low half).
class KeyedPermutation {
 public:
  static constexpr int rounds = 27;

  /// The permutation of `seed`: the cipher's key words are, in the order of the publication
  /// (last to first), 0, 0, the seed's high half, the seed's low half.
  explicit KeyedPermutation(std::uint64_t seed);

  /// The permutation of a full key in the order of the publication, {l2, l1, l0, k0}.
  explicit KeyedPermutation(const std::array<std::uint32_t, 4>& key);

  /// The image of `number`. Distinct numbers have distinct images.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t number) const noexcept;

  /// Replaces every number by its image, many at once.
  void apply(std::span<std::uint64_t> numbers) const noexcept;

  /// out[i] = image of first + i (modulo 2^64), many at once.
  void apply_range(std::uint64_t first, std::span<std::uint64_t> out) const noexcept;

 private:
  std::array<std::uint32_t, rounds> round_keys_;
};

}  // namespace bloomlab
