// XXH64 (Collet 2014), from the xxHash library: what the Parquet format prescribes for its filters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/hash/kernel/xxhash.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is XXH64(key, seed).
struct XxHash64 {
  static constexpr std::string_view name = "xxhash64";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source = "Collet 2014, xxHash, XXH64 (library xxHash)";
  using Digest = std::array<std::uint64_t, 1>;
  /// The hash of one key, inlined.
  using Kernel = detail::Xxh64Kernel;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
