// A hash made for vectors: short keys take only products of 32 bits, of which every vector unit
// makes several at once, where products of 64 bits are rare. Own design, after the rounds of
// Feistel ("Cryptography and computer privacy", 1973), which mix by halves and have inverses.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/multiply_mix.hpp"

namespace bloomlab {
/// A key of up to 8 bytes is a number, xored with a word made of seed and length; then, five times,
/// the product of its lower half and an even constant is xored to the whole, and the halves change
/// places. Every step has an inverse: keys of one such length never share a digest. Longer keys
/// have the digest of multiply_mix_64. Many integers of 8 bytes at once take half of the time of
/// that hash, one key alone more than twice as long, as its steps wait for each other. Reads
/// little-endian on every machine. No defence against chosen keys.
struct MultiplySwap64 : HashBase<MultiplySwap64, 1> {
  static constexpr std::string_view name = "multiply_swap_64";
  static constexpr std::string_view source =
      "own, products of 32 bits in rounds after Feistel 1973; over 8 bytes multiply_mix_64";
  /// The hash of one key, inlined.
  using Kernel = detail::MultiplySwap64Kernel;

  /// The first `out.width` words of the digest of every key: integers by vectors.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
