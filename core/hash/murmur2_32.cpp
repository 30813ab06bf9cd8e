#include "core/hash/murmur2_32.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {

// The constants and the mixing are the published ones: a product, a shift and a product a word, the
// tail xored in as a partial word, and a finish of two shifts and a product.
struct Murmur2_32::Function {
  static constexpr std::uint32_t multiplier = 0x5bd1e995U;

  std::uint32_t seed;
  explicit Function(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  static std::uint32_t scramble(std::uint32_t word) noexcept {
    word *= multiplier;
    word ^= word >> 24;
    return word * multiplier;
  }

  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint32_t hash = seed ^ static_cast<std::uint32_t>(length);
    const std::byte* const tail = bytes + length / 4 * 4;
    for (; bytes != tail; bytes += 4)
      hash = (hash * multiplier) ^ scramble(detail::load_little_endian_32(bytes));
    if (length % 4 != 0)
      hash = (hash ^ detail::load_rest<std::uint32_t>(tail, length % 4)) * multiplier;
    hash = (hash ^ (hash >> 13)) * multiplier;
    return {widened_32(hash ^ (hash >> 15))};
  }
};

template struct HashBase<Murmur2_32, 1, 32>;

}  // namespace bloomlab
