#include "core/hash/md5.hpp"

#include "core/hash/detail/openssl_digest.hpp"

namespace bloomlab {

struct Md5::Function : detail::OpensslDigest<Md5> {
  using OpensslDigest::OpensslDigest;
};

template struct HashBase<Md5, 2>;

}  // namespace bloomlab
