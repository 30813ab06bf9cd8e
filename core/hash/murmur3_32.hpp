// MurmurHash3_x86_32 (Appleby 2011), own code, inlined as MurmurHash2 is: their times compare.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word 0 is the hash, widened (widened_32). The function has a seed of 32 bits: a seed of 64 bits
/// is folded to low half xor high half. Reads keys as little-endian on every machine.
struct Murmur3_32 : HashBase<Murmur3_32, 1, 32> {
  static constexpr std::string_view name = "murmur3_32";
  static constexpr std::string_view source = "Appleby 2011, MurmurHash3_x86_32 (own code)";

  struct Function;
};

}  // namespace bloomlab
