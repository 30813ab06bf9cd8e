// XXH3 with 64 bits (Collet 2019, xxHash 0.8, "XXH3 algorithm overview") of integer keys of 4 and 8
// bytes, many at once. The library's own function (core/hash/xxhash3_64.cpp) is the reference:
// digests are the same on every target.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// XXH3 for keys of 4 to 8 bytes under one seed.
struct Xxh3Word {
  /// Bytes 8 .. 15 of the algorithm's default secret, xored with bytes 16 .. 23.
  static constexpr std::uint64_t secret = 0x1cad21f72c81017cULL ^ 0xdb979083e96dd4deULL;
  static constexpr std::uint64_t multiplier = 0x9fb21c651e98df25ULL;

  std::uint64_t flip = 0;  ///< what secret and seed make of each other

  constexpr explicit Xxh3Word(std::uint64_t seed) noexcept : flip(secret - mixed(seed)) {}

  /// The digest of a key of 4 to 8 bytes, whose first four are the low half of `ends` and whose
  /// last four the high half.
  [[nodiscard]] constexpr std::uint64_t of_length(std::uint64_t ends,
                                                  std::uint64_t bytes) const noexcept {
    const std::uint64_t word = std::rotr(ends, 32) ^ flip;
    const std::uint64_t spread = word ^ std::rotr(word, 15) ^ std::rotr(word, 40);
    const std::uint64_t inner = spread * multiplier;
    const std::uint64_t outer = (inner ^ ((inner >> 35) + bytes)) * multiplier;
    return outer ^ (outer >> 28);
  }

 private:
  /// The seed, its upper half xored with the lower one's bytes in reverse order.
  static constexpr std::uint64_t mixed(std::uint64_t seed) noexcept {
    std::uint64_t reversed = 0;
    for (int byte = 0; byte < 4; ++byte) reversed = reversed << 8 | (seed >> (8 * byte) & 0xff);
    return seed ^ reversed << 32;
  }
};

/// out[j] is the digest of the first `bytes` little-endian bytes of keys[j]. Preconditions: bytes
/// is 4 or 8; out has room for keys.size() words.
void hash_words(std::span<const std::uint64_t> keys, std::uint64_t bytes, const Xxh3Word& hash,
                std::uint64_t* out);

}  // namespace bloomlab::simd
