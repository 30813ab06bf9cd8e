#include "core/hash/murmur2_64a.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
Murmur2_64A::Digest Murmur2_64A::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Kernel(seed)(key.data(), key.size());
}

void Murmur2_64A::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Kernel(seed), out);
}

}  // namespace bloomlab
