// MurmurHash3_x64_128 (Appleby 2011), of which 32 bits are kept.
#pragma once

#include <string_view>

#include "core/hash/murmur3_128.hpp"
#include "core/hash/truncation_32.hpp"

namespace bloomlab {

/// See Truncation32.
struct Murmur3_128Truncated32 : Truncation32<Murmur3_128> {
  static constexpr std::string_view name = "murmur3_128_truncated_32";
  static constexpr std::string_view source =
      "Appleby 2011, MurmurHash3_x64_128 (own code), low 32 bits";
};

}  // namespace bloomlab
