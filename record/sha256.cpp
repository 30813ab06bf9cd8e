#include "record/sha256.hpp"

#ifndef BLOOMLAB_WITHOUT_OPENSSL
#include <openssl/evp.h>

#include <stdexcept>
#endif

namespace bloomlab::record {

#ifndef BLOOMLAB_WITHOUT_OPENSSL

struct Sha256Stream::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

namespace {

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL does not offer SHA-256");
}

}  // namespace

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {
  require(state_->context != nullptr &&
          EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::add(std::string_view text) {
  require(EVP_DigestUpdate(state_->context, text.data(), text.size()) == 1);
}

Sha256 Sha256Stream::digest() {
  Sha256 digest{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(state_->context, digest.data(), &size) == 1 && size == digest.size());
  return digest;
}
#endif

Sha256 sha256(std::string_view text) {
  Sha256Stream stream;
  stream.add(text);
  return stream.digest();
}

std::string hex_of(const Sha256& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const unsigned byte : digest) {
    hex += digits[byte >> 4U];
    hex += digits[byte & 15U];
  }
  return hex;
}

std::string sha256_hex(std::string_view text) { return hex_of(sha256(text)); }

std::uint64_t sha256_number(std::string_view text) {
  const Sha256 digest = sha256(text);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8U | digest[i];
  return number;
}

}  // namespace bloomlab::record
