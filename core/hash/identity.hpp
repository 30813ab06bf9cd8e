// No hash at all: passes a 32-bit integer key through, for probes that mix the key themselves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is the low 32 bits of an integer key (of bytes: the first four, little-endian, zeros
/// where there are none). Ignores the seed. Only for probes that need it (Probe::needs_identity);
/// batches of texts are refused upstream.
struct Identity {
  static constexpr std::string_view name = "identity";
  static constexpr int digest_bits = 32;
  static constexpr bool takes_seed = false;
  static constexpr bool passes_through = true;
  static constexpr std::string_view source = "no hash: the key itself";
  using Digest = std::array<std::uint64_t, 1>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
