#include "core/hash/murmur2_64a.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

// The constants and the mixing are the published ones: a product, a shift and a product a word, the
// tail xored in as a partial word, and a finish of two shifts and a product.
struct Murmur264aKernel {
  static constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995ULL;
  static constexpr int shift = 47;

  std::uint64_t seed;
  explicit Murmur264aKernel(std::uint64_t value) noexcept : seed(value) {}

  static std::uint64_t scramble(std::uint64_t word) noexcept {
    word *= multiplier;
    word ^= word >> shift;
    return word * multiplier;
  }

  Murmur2_64A::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t hash = seed ^ (length * multiplier);
    const std::byte* const tail = bytes + length / 8 * 8;
    for (; bytes != tail; bytes += 8) {
      hash = (hash ^ scramble(detail::load_little_endian(bytes))) * multiplier;
    }
    if (length % 8 != 0) {
      std::uint64_t rest = 0;
      for (std::size_t i = length % 8; i-- > 0;) {
        rest = (rest << 8) | std::to_integer<std::uint64_t>(tail[i]);
      }
      hash = (hash ^ rest) * multiplier;
    }
    hash = (hash ^ (hash >> shift)) * multiplier;
    return {hash ^ (hash >> shift)};
  }
};

}  // namespace

Murmur2_64A::Digest Murmur2_64A::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Murmur264aKernel(seed)(key.data(), key.size());
}

void Murmur2_64A::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Murmur264aKernel(seed), out);
}

}  // namespace bloomlab
