#include "core/hash/murmur3_32.hpp"

#include <bit>
#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {
namespace {

// The constants and the steps are the published ones: a word goes through a product, a rotation and
// a product, and the state through a rotation, a product by 5 and a sum; the tail is scrambled as a
// partial word, and the finish has three shifts and two products.
struct Murmur332Kernel {
  std::uint32_t seed;
  explicit Murmur332Kernel(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  static std::uint32_t scramble(std::uint32_t word) noexcept {
    return std::rotl(word * 0xcc9e2d51U, 15) * 0x1b873593U;
  }

  Murmur3_32::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
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

}  // namespace

Murmur3_32::Digest Murmur3_32::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Murmur332Kernel(seed)(key.data(), key.size());
}

void Murmur3_32::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Murmur332Kernel(seed), out);
}

}  // namespace bloomlab
