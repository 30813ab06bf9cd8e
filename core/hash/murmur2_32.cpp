#include "core/hash/murmur2_32.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {
namespace {

// The constants and the mixing are the published ones: a product, a shift and a product a word, the
// tail xored in as a partial word, and a finish of two shifts and a product.
struct Murmur232Kernel {
  static constexpr std::uint32_t multiplier = 0x5bd1e995U;

  std::uint32_t seed;
  explicit Murmur232Kernel(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  static std::uint32_t scramble(std::uint32_t word) noexcept {
    word *= multiplier;
    word ^= word >> 24;
    return word * multiplier;
  }

  Murmur2_32::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
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

}  // namespace

Murmur2_32::Digest Murmur2_32::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Murmur232Kernel(seed)(key.data(), key.size());
}

void Murmur2_32::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Murmur232Kernel(seed), out);
}

}  // namespace bloomlab
