// A fast mix by 128-bit products: two for a key of up to 8 bytes, one more for every 16 bytes.
// After the scheme of wyhash (Wang Yi 2019) and rapidhash (De Carli 2024), own design: the two
// halves of a product, xored, carry every bit of both factors.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/multiply_mix.hpp"

namespace bloomlab {
/// With fold(x, y) = high xor low half of the product x y: the seed becomes s = fold(seed ^ c0,
/// c1); while more than 16 bytes are left, s = fold(lower ^ c2, upper ^ s) of the next 16; the last
/// up to 8 bytes x give fold(fold(x ^ c2, s | 1) ^ length, c3), 9 to 16 are one more step first,
/// overlapping. Reads little-endian on every machine. No defence against chosen keys.
struct MultiplyMix64 : HashBase<MultiplyMix64, 1> {
  static constexpr std::string_view name = "multiply_mix_64";
  static constexpr std::string_view source =
      "own, after the two-product scheme of wyhash (Wang Yi 2019) and rapidhash (De Carli 2024)";
  /// The hash of one key, inlined.
  using Kernel = detail::MultiplyMix64Kernel;

  /// The first `out.width` words of the digest of every key: integers by vectors.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
