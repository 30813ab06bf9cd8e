// A hash table of 16-byte digests of the keys, such as MD5 sums or UUIDs, at most half full.
#pragma once

#include <string_view>

#include "core/filters/digest_table.hpp"

namespace bloomlab {

/// The description of DigestSet.
struct DigestSetRules {
  static constexpr std::string_view name = "digest_set";
  static constexpr std::string_view summary =
      "16-byte digests (MD5, UUID) in a hash table, at most half full";
  static constexpr std::string_view source = "folklore (a set of MD5 sums or UUIDs)";
  static constexpr int words = 2;
};

/// Digests of 128 bits in an open-addressing table: those of MD5 with the hash md5.
using DigestSet = DigestFilter<DigestSetRules>;

}  // namespace bloomlab
