// SHA256 through OpenSSL's EVP interface. NIST 2002, FIPS 180-2, Secure hash standard (library
// OpenSSL).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word i is bytes 8i .. 8i + 7 of the digest, read as little-endian. A seed other
/// than 0 is put in front of the key as 8 little-endian bytes. Throws std::runtime_error where
/// OpenSSL does not offer the function.
struct Sha256 {
  static constexpr std::string_view name = "sha256";
  static constexpr int digest_bits = 256;
  static constexpr bool takes_seed = false;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "NIST 2002, FIPS 180-2, Secure hash standard (library OpenSSL)";
  using Digest = std::array<std::uint64_t, 4>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
