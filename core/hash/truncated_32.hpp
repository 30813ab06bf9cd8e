// XXH3 with 64 bits (Collet 2019), of which 32 are kept: the hash that the others are measured
// with, at the width that puts a floor under the rate of large filters.
#pragma once

#include <string_view>

#include "core/hash/truncation_32.hpp"
#include "core/hash/xxhash3_64.hpp"

namespace bloomlab {

/// See Truncation32.
struct Truncated32 : Truncation32<XxHash3_64> {
  static constexpr std::string_view name = "truncated_32";
  static constexpr std::string_view source =
      "Collet 2019, xxHash 0.8, XXH3 (library xxHash), low 32 bits";
};

}  // namespace bloomlab
