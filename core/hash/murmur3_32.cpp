#include "core/hash/murmur3_32.hpp"

#include <murmurhash.h>

#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {
namespace {

struct Murmur332Kernel {
  std::uint32_t seed;
  explicit Murmur332Kernel(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  Murmur3_32::Digest operator()(const std::byte* bytes, std::size_t length) const {
    if (length > std::numeric_limits<unsigned>::max()) [[unlikely]] {
      throw std::length_error("murmur3_32: a key of 4 GiB or more; use another hash");
    }
    std::uint32_t hash;
    lmmh_x86_32(bytes, static_cast<unsigned>(length), seed, &hash);
    return {widened_32(hash)};
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
