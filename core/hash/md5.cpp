#include "core/hash/md5.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

Md5::Digest Md5::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return detail::OpensslDigest<Md5>(seed)(key.data(), key.size());
}

void Md5::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, detail::OpensslDigest<Md5>(seed), out);
}

}  // namespace bloomlab
