// MurmurHash3_x64_128 (Appleby 2011), own code, inlined as MurmurHash2 is: their times compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/hash/kernel/murmur3_128.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// The two words of the digest. The function has a seed of 32 bits: a seed of 64 bits is folded to
/// low half xor high half, so seeds below 2^32 are taken as they are and others may coincide.
/// Reads keys as little-endian on every machine.
struct Murmur3_128 {
  static constexpr std::string_view name = "murmur3_128";
  static constexpr int digest_bits = 128;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source = "Appleby 2011, MurmurHash3_x64_128 (own code)";
  using Digest = std::array<std::uint64_t, 2>;
  /// The hash of one key, inlined.
  using Kernel = detail::Murmur3128Kernel;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
