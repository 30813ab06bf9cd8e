#include "core/hash/sha1.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

Sha1::Digest Sha1::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return detail::OpensslDigest<Sha1>(seed)(key.data(), key.size());
}

void Sha1::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, detail::OpensslDigest<Sha1>(seed), out);
}

}  // namespace bloomlab
