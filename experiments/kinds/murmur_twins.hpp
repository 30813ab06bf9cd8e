// Keys that collide under every seed of a hash of the Murmur family.
//
// These hashes scramble a block of the key before it meets the state, by a bijection that no seed
// changes. So a block can be chosen that changes the scrambled block in one given bit. That bit is
// chosen so that it is the highest one of the state when the state is multiplied: there it stays
// alone, whatever else the state holds, and the next block of the key takes it back. The two blocks
// and their twins then leave the same state, and a key of several such pairs has a twin for each
// choice among them.
// Source: Aumasson, Bernstein 2012, "SipHash: a fast short-input PRF", and Aumasson, Bernstein,
// Bosslet 2012, "Hash-flooding DoS reloaded"; the bits for these four functions are derived here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/keys/keyed_permutation.hpp"

namespace bloomlab::experiments {

/// Keys with twins. Distinct numbers, and distinct patterns of a number, give distinct keys: a key
/// ends in its number, and a change of a pair is never none.
class MurmurTwins {
 public:
  /// Pairs of blocks of a key.
  static constexpr unsigned pairs = 8;
  /// Twins of a key: all choices of pairs to change, but for none.
  static constexpr std::uint64_t twins = (1U << pairs) - 1;

  /// Whether twins of `hash` are known: murmur2_32, murmur2_64a, murmur3_32, murmur3_128 and its
  /// truncation.
  [[nodiscard]] static bool known_for(std::string_view hash);

  /// Twins of `hash` where they are known, else of murmur3_128.
  /// @param seed of the keys, not of the hash
  MurmurTwins(std::string_view hash, std::uint64_t seed);

  /// Length of every key [bytes].
  [[nodiscard]] std::size_t key_bytes() const noexcept;

  /// Key number `number` < 2^32, with those of its pairs changed whose bits are set in `pattern`,
  /// 0 .. twins; 0 is the key itself.
  [[nodiscard]] std::string key(std::uint64_t number, std::uint64_t pattern) const;

 private:
  using Change = void (*)(std::byte* pair);
  struct Known;
  static const Known* find(std::string_view hash);

  std::size_t pair_bytes_;
  Change change_;
  KeyedPermutation random_;
};

}  // namespace bloomlab::experiments
