#include "core/hash/sha256.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

Sha256::Digest Sha256::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return detail::OpensslDigest<Sha256>(seed)(key.data(), key.size());
}

void Sha256::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, detail::OpensslDigest<Sha256>(seed), out);
}

}  // namespace bloomlab
