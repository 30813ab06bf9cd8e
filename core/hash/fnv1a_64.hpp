// FNV-1a with 64 bits (Fowler, Noll, Vo 1991), own code: a byte a step, weak in its high bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/hash/kernel/fnv1a_64.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is FNV-1a of the key; a seed other than 0 is put in front of the key as 8 little-endian
/// bytes.
struct Fnv1a_64 {
  static constexpr std::string_view name = "fnv1a_64";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = false;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "Fowler, Noll, Vo 1991, The FNV non-cryptographic hash algorithm (IETF draft; own code)";
  using Digest = std::array<std::uint64_t, 1>;
  /// The hash of one key, inlined.
  using Kernel = detail::Fnv1a64Kernel;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
