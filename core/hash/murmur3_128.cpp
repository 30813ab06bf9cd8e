#include "core/hash/murmur3_128.hpp"

#include <murmurhash.h>

#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct Murmur3128Kernel {
  std::uint32_t seed;
  explicit Murmur3128Kernel(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  Murmur3_128::Digest operator()(const std::byte* bytes, std::size_t length) const {
    if (length > std::numeric_limits<unsigned>::max()) [[unlikely]] {
      throw std::length_error("murmur3_128: a key of 4 GiB or more; use another hash");
    }
    Murmur3_128::Digest digest;
    lmmh_x64_128(bytes, static_cast<unsigned>(length), seed, digest.data());
    return digest;
  }
};

}  // namespace

Murmur3_128::Digest Murmur3_128::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Murmur3128Kernel(seed)(key.data(), key.size());
}

void Murmur3_128::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Murmur3128Kernel(seed), out);
}

}  // namespace bloomlab
