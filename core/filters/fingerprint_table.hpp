// A hash table of 8-byte fingerprints of the keys, at most half full: the "hash table" that
// introductions compare a Bloom filter with.
#pragma once

#include <string_view>

#include "core/filters/digest_table.hpp"

namespace bloomlab {

/// The description of FingerprintTable.
struct FingerprintTableRules {
  static constexpr std::string_view name = "fingerprint_table";
  static constexpr std::string_view summary =
      "8-byte fingerprints in a hash table, at most half full";
  static constexpr std::string_view source =
      "folklore (fingerprints at load 0.5, as introductions to Bloom filters count)";
  static constexpr int words = 1;
};

/// Fingerprints of 64 bits in an open-addressing table.
using FingerprintTable = DigestFilter<FingerprintTableRules>;

}  // namespace bloomlab
