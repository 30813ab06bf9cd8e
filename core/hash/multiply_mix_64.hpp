// A fast mix by 128-bit products: two for a key of up to 8 bytes, one more for every 16 bytes.
// After the scheme of wyhash (Wang Yi 2019) and rapidhash (De Carli 2024), own design: the two
// halves of a product, xored, carry every bit of both factors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/hash/kernel/multiply_mix.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// With fold(x, y) = high xor low half of the product x y: the seed becomes s = fold(seed ^ c0,
/// c1); while more than 16 bytes are left, s = fold(lower ^ c2, upper ^ s) of the next 16; the last
/// up to 8 bytes x give fold(fold(x ^ c2, s | 1) ^ length, c3), 9 to 16 are one more step first,
/// overlapping. Reads little-endian on every machine. No defence against chosen keys.
struct MultiplyMix64 {
  static constexpr std::string_view name = "multiply_mix_64";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "own, after the two-product scheme of wyhash (Wang Yi 2019) and rapidhash (De Carli 2024)";
  using Digest = std::array<std::uint64_t, 1>;
  /// The hash of one key, inlined.
  using Kernel = detail::MultiplyMix64Kernel;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
