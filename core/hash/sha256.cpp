#include "core/hash/sha256.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

struct Sha256::Function : detail::OpensslDigest<Sha256> {
  using OpensslDigest::OpensslDigest;
};

template struct HashBase<Sha256, 4>;

}  // namespace bloomlab
