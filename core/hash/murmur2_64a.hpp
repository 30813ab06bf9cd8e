// MurmurHash64A (Appleby 2008), own code: no packaged library has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/hash/kernel/murmur2_64a.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is MurmurHash64A of the key. Reads keys as little-endian on every machine.
struct Murmur2_64A {
  static constexpr std::string_view name = "murmur2_64a";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "Appleby 2008, MurmurHash2 for 64-bit platforms (MurmurHash64A; own code)";
  using Digest = std::array<std::uint64_t, 1>;
  /// The hash of one key, inlined.
  using Kernel = detail::Murmur264aKernel;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
