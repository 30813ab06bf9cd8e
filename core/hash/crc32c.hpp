// CRC-32C, the checksum of iSCSI (RFC 3720) and of processors' CRC instruction, used as a hash.
// Source: Castagnoli, Braeuer, Herrmann 1993, "Optimization of cyclic redundancy-check codes with
// 24 and 32 parity bits", IEEE Trans. Comm. 41(6).
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word 0 is the checksum, widened (widened_32); a seed other than 0 is put in front of the key as
/// 8 little-endian bytes. Linear: for keys of one length, the checksums under two seeds differ by
/// the same xor for every key, so that several seeds give no more than one. Not a family of hashes.
struct Crc32c : HashBase<Crc32c, 1, 32> {
  static constexpr std::string_view name = "crc32c";
  static constexpr bool takes_seed = false;
  static constexpr std::string_view source =
      "Castagnoli, Braeuer, Herrmann 1993, Optimization of cyclic redundancy-check codes; RFC 3720 "
      "(own "
      "code)";

  struct Function;
};

}  // namespace bloomlab
