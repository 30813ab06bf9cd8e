// XXH3 with 64 bits, from the xxHash library (Collet 2019): the fast general-purpose hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/xxhash.hpp"

namespace bloomlab {
/// Word 0 is XXH3_64bits_withSeed(key, seed).
struct XxHash3_64 : HashBase<XxHash3_64, 1> {
  static constexpr std::string_view name = "xxhash3_64";
  static constexpr std::string_view source = "Collet 2019, xxHash 0.8, XXH3 (library xxHash)";

  /// The hash of one key: inlined, but for keys of more than 240 bytes.
  class Kernel {
   public:
    explicit Kernel(std::uint64_t seed) noexcept : word_(seed), text_{seed} {}

    [[gnu::always_inline]] Digest operator()(std::uint64_t key) const noexcept {
      return {word_.of_length(key, 8)};
    }
    Digest operator()(const std::byte* bytes, std::size_t length) const {
      if (length > detail::Xxh3Short::longest) return digest({bytes, length}, text_.seed);
      return {text_(bytes, length)};
    }

   private:
    simd::Xxh3Word word_;
    detail::Xxh3Short text_;
  };

  /// The first `out.width` words of the digest of every key: integers by vectors.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);

  struct Function;
};

// Function is known in one source alone.
extern template struct HashBase<XxHash3_64, 1>;

}  // namespace bloomlab
