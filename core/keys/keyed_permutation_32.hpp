// A keyed bijection of the 32-bit numbers: the block cipher Speck32/64.
// Source: Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers 2013, "The SIMON and SPECK
// families of lightweight block ciphers", IACR ePrint 2013/404.
//
// For universes that can be asked whole: 2^32 keys, every one of them once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bloomlab {

/// Speck32/64 under one key. A number is encrypted as the block (high half, low half).
class KeyedPermutation32 {
 public:
  static constexpr int rounds = 22;

  /// The permutation of `seed`, whose four 16-bit parts from high to low are the cipher's key words
  /// in the order of the publication, last to first.
  explicit KeyedPermutation32(std::uint64_t seed);

  /// The image of `number`. Distinct numbers have distinct images.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t number) const noexcept;

  /// out[i] = image of first + i (modulo 2^32), each as a 64-bit number.
  void apply_range(std::uint32_t first, std::span<std::uint64_t> out) const noexcept;

 private:
  std::array<std::uint16_t, rounds> round_keys_;
};

}  // namespace bloomlab
