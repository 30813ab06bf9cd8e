// What the hashes of the catalogue share: a hash is its name, its source and a function of one key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// The base of a hash of `Words` words, of which a key's one evaluation has `Bits` bits. The hash
/// has a type `Function`, or else `Kernel` (core/hash/one_key.hpp), which is made of a seed and
/// maps the bytes of a key to its Digest; its .cpp includes core/hash/detail/digest_each.hpp and
/// instantiates this base.
template <class Hash, std::size_t Words, int Bits = 64 * static_cast<int>(Words)>
struct HashBase {
  static constexpr int digest_bits = Bits;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  using Digest = std::array<std::uint64_t, Words>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
