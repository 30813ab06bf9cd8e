// MurmurHash2 with 32 bits (Appleby 2008), own code: no packaged library has it.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// Word 0 is the hash, widened (widened_32). The function has a seed of 32 bits: a seed of 64 bits
/// is folded to low half xor high half. Reads keys as little-endian on every machine.
struct Murmur2_32 : HashBase<Murmur2_32, 1, 32> {
  static constexpr std::string_view name = "murmur2_32";
  static constexpr std::string_view source = "Appleby 2008, MurmurHash2 (32 bits; own code)";

  struct Function;
};

}  // namespace bloomlab
