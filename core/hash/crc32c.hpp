// CRC-32C, the checksum of iSCSI (RFC 3720) and of processors' CRC instruction, used as a hash.
// Source: Castagnoli, Braeuer, Herrmann 1993, "Optimization of cyclic redundancy-check codes with
// 24 and 32 parity bits", IEEE Trans. Comm. 41(6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 is the checksum, widened (widened_32); a seed other than 0 is put in front of the key as
/// 8 little-endian bytes. Linear: for keys of one length, the checksums under two seeds differ by
/// the same xor for every key, so that several seeds give no more than one. Not a family of hashes.
struct Crc32c {
  static constexpr std::string_view name = "crc32c";
  static constexpr int digest_bits = 32;
  static constexpr bool takes_seed = false;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "Castagnoli, Braeuer, Herrmann 1993, Optimization of cyclic redundancy-check codes; RFC 3720 "
      "(own "
      "code)";
  using Digest = std::array<std::uint64_t, 1>;

  /// The digest of one key. Never throws for keys below 4 GiB.
  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);

  /// The first `out.width` words of the digest of every key, plane by plane.
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
