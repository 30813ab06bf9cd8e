#include "core/hash/murmur3_32.hpp"

#include <bit>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {

// The constants and the steps are the published ones: a word goes through a product, a rotation and
// a product, and the state through a rotation, a product by 5 and a sum; the tail is scrambled as a
// partial word, and the finish has three shifts and two products.
struct Murmur3_32::Function {
  std::uint32_t seed;
  explicit Function(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  static std::uint32_t scramble(std::uint32_t word) noexcept {
    return std::rotl(word * 0xcc9e2d51U, 15) * 0x1b873593U;
  }

  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint32_t hash = seed;
    const std::byte* const tail = bytes + length / 4 * 4;
    for (; bytes != tail; bytes += 4) {
      hash = std::rotl(hash ^ scramble(detail::load_little_endian_32(bytes)), 13) * 5 + 0xe6546b64U;
    }
    if (length % 4 != 0) hash ^= scramble(detail::load_rest<std::uint32_t>(tail, length % 4));
    hash ^= static_cast<std::uint32_t>(length);
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
    return {widened_32(hash ^ (hash >> 16))};
  }
};

template struct HashBase<Murmur3_32, 1, 32>;

}  // namespace bloomlab
