// XXH3 with 64 bits, from the xxHash library (Collet 2019): the fast general-purpose hash.
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

/// Word 0 is XXH3_64bits_withSeed(key, seed).
struct XxHash3_64 {
  static constexpr std::string_view name = "xxhash3_64";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source = "Collet 2019, xxHash 0.8, XXH3 (library xxHash)";
  using Digest = std::array<std::uint64_t, 1>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The hash of one key: inlined, but for keys of more than 240 bytes.
  class Kernel {
   public:
    explicit Kernel(std::uint64_t seed) noexcept : word_(seed), text_{seed} {}

    [[gnu::always_inline]] Digest operator()(std::uint64_t key) const noexcept {
      return {word_(key)};
    }
    Digest operator()(const std::byte* bytes, std::size_t length) const {
      if (length > detail::Xxh3Short::longest) return digest({bytes, length}, text_.seed);
      return {text_(bytes, length)};
    }

   private:
    simd::Xxh3Word word_;
    detail::Xxh3Short text_;
  };

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
