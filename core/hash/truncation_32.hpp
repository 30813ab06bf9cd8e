// A hash of which only 32 bits are kept: what a 32-bit hash costs, at the quality of a long one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/digest_planes.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is the low 32 bits of the first word of `Hash`, widened (widened_32): one evaluation
/// takes 2^32 different values. The base of the catalogue's truncated hashes, which add name and
/// source.
template <class Hash>
struct Truncation32 {
  static constexpr int digest_bits = 32;
  static constexpr bool takes_seed = Hash::takes_seed;
  static constexpr bool passes_through = false;
  using Digest = std::array<std::uint64_t, 1>;

  /// The digest of one key. Throws what Hash::digest throws.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed) {
    return {truncated(Hash::digest(key, seed)[0])};
  }

  /// The word of every key. Precondition: out.width == 1.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
    Hash::digest_batch(keys, seed, out);
    for (std::uint64_t& word : std::span(out.words, keys.size())) word = truncated(word);
  }

 private:
  [[nodiscard]] static std::uint64_t truncated(std::uint64_t word) noexcept {
    return widened_32(static_cast<std::uint32_t>(word));
  }
};

}  // namespace bloomlab
