#include "record/sha256.hpp"

#ifndef BLOOMLAB_WITHOUT_OPENSSL
#include <openssl/evp.h>

#include <stdexcept>
#endif

namespace bloomlab::record {

#ifndef BLOOMLAB_WITHOUT_OPENSSL

Sha256 sha256(std::string_view text) {
  Sha256 digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 ||
      size != digest.size()) {
    throw std::runtime_error("OpenSSL does not offer SHA-256");
  }
  return digest;
}
#endif

std::string sha256_hex(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const unsigned byte : sha256(text)) {
    hex += digits[byte >> 4U];
    hex += digits[byte & 15U];
  }
  return hex;
}

std::uint64_t sha256_number(std::string_view text) {
  const Sha256 digest = sha256(text);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8U | digest[i];
  return number;
}

}  // namespace bloomlab::record
