// SHA1 through OpenSSL's EVP interface. NIST 1995, FIPS 180, Secure hash standard (library
// OpenSSL).
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word i is bytes 8i .. 8i + 7 of the digest, read as little-endian. The last 32 of its 160 bits
/// do not fill a word and are left. A seed other than 0 is put in front of the key as 8
/// little-endian bytes. Throws std::runtime_error where OpenSSL does not offer the function.
struct Sha1 : HashBase<Sha1, 2, 160> {
  static constexpr std::string_view name = "sha1";
  static constexpr bool takes_seed = false;
  static constexpr std::string_view source =
      "NIST 1995, FIPS 180, Secure hash standard (library OpenSSL)";

  struct Function;
};

}  // namespace bloomlab
