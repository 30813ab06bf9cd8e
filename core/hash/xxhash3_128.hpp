// XXH3 with 128 bits, from the xxHash library (Collet 2019): two words for one evaluation.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word 0 is the low half, word 1 the high half of XXH3_128bits_withSeed(key, seed).
struct XxHash3_128 : HashBase<XxHash3_128, 2> {
  static constexpr std::string_view name = "xxhash3_128";
  static constexpr std::string_view source = "Collet 2019, xxHash 0.8, XXH3 (library xxHash)";

  struct Function;
};

}  // namespace bloomlab
