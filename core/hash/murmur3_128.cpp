#include "core/hash/murmur3_128.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

Murmur3_128::Digest Murmur3_128::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Kernel(seed)(key.data(), key.size());
}

void Murmur3_128::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Kernel(seed), out);
}

}  // namespace bloomlab
