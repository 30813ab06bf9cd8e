// MD5 through OpenSSL's EVP interface. Rivest 1992, RFC 1321, The MD5 message-digest algorithm
// (library OpenSSL).
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word i is bytes 8i .. 8i + 7 of the digest, read as little-endian. A seed other
/// than 0 is put in front of the key as 8 little-endian bytes. Throws std::runtime_error where
/// OpenSSL does not offer the function.
struct Md5 : HashBase<Md5, 2> {
  static constexpr std::string_view name = "md5";
  static constexpr bool takes_seed = false;
  static constexpr std::string_view source =
      "Rivest 1992, RFC 1321, The MD5 message-digest algorithm (library OpenSSL)";

  struct Function;
};

}  // namespace bloomlab
