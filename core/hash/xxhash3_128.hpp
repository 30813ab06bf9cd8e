// XXH3 with 128 bits, from the xxHash library (Collet 2019): two words for one evaluation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is the low half, word 1 the high half of XXH3_128bits_withSeed(key, seed).
struct XxHash3_128 {
  static constexpr std::string_view name = "xxhash3_128";
  static constexpr int digest_bits = 128;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source = "Collet 2019, xxHash 0.8, XXH3 (library xxHash)";
  using Digest = std::array<std::uint64_t, 2>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
