#include "core/hash/sha1.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

struct Sha1::Function : detail::OpensslDigest<Sha1> {
  using OpensslDigest::OpensslDigest;
};

template struct HashBase<Sha1, 2, 160>;

}  // namespace bloomlab
