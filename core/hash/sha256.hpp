// SHA256 through OpenSSL's EVP interface. NIST 2002, FIPS 180-2, Secure hash standard (library
// OpenSSL).
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word i is bytes 8i .. 8i + 7 of the digest, read as little-endian. A seed other
/// than 0 is put in front of the key as 8 little-endian bytes. Throws std::runtime_error where
/// OpenSSL does not offer the function.
struct Sha256 : HashBase<Sha256, 4> {
  static constexpr std::string_view name = "sha256";
  static constexpr bool takes_seed = false;
  static constexpr std::string_view source =
      "NIST 2002, FIPS 180-2, Secure hash standard (library OpenSSL)";

  struct Function;
};

}  // namespace bloomlab
