// The kernel of the hashes that come from OpenSSL: the function is fetched once a process, the
// context made once a batch; a key then costs about 100 ns, against 350 ns for one-shot calls.
// Include it in the .cpp file of a hash only.
#pragma once

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab::detail {

/// Throws the error of a call into OpenSSL that did not succeed.
[[noreturn]] inline void fail_openssl(std::string_view function) {
  throw std::runtime_error("OpenSSL refused the hash " + std::string(function) +
                           "; its configuration may forbid it: choose another hash");
}

/// Digests keys with the function that OpenSSL knows by Hash::name.
template <class Hash>
class OpensslDigest {
 public:
  explicit OpensslDigest(std::uint64_t seed) : context_(EVP_MD_CTX_new()), seeded_(seed != 0) {
    if (context_ == nullptr || EVP_DigestInit_ex2(context_.get(), function(), nullptr) != 1) {
      fail_openssl(Hash::name);
    }
    const std::uint64_t bytes = little_endian(seed);
    std::memcpy(prefix_.data(), &bytes, sizeof bytes);
  }

  typename Hash::Digest operator()(const std::byte* bytes, std::size_t length) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    EVP_MD_CTX* const context = context_.get();
    const bool done = EVP_DigestInit_ex2(context, nullptr, nullptr) == 1 &&
                      (!seeded_ || EVP_DigestUpdate(context, prefix_.data(), 8) == 1) &&
                      EVP_DigestUpdate(context, bytes, length) == 1 &&
                      EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1;
    if (!done) [[unlikely]] {
      fail_openssl(Hash::name);
    }
    typename Hash::Digest words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint64_t word;
      std::memcpy(&word, digest.data() + 8 * i, sizeof word);
      words[i] = little_endian(word);
    }
    return words;
  }

 private:
  struct Free {
    void operator()(EVP_MD* function) const noexcept { EVP_MD_free(function); }
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };

  static const EVP_MD* function() {
    static const std::unique_ptr<EVP_MD, Free> fetched(
        EVP_MD_fetch(nullptr, std::string(Hash::name).c_str(), nullptr));
    if (fetched == nullptr) fail_openssl(Hash::name);
    return fetched.get();
  }

  std::unique_ptr<EVP_MD_CTX, Free> context_;
  std::array<unsigned char, 8> prefix_{};
  bool seeded_;
};

}  // namespace bloomlab::detail
