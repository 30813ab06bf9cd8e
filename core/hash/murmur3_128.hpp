// MurmurHash3_x64_128 (Appleby 2011), own code, inlined as MurmurHash2 is: their times compare.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/murmur3_128.hpp"

namespace bloomlab {
/// The two words of the digest. The function has a seed of 32 bits: a seed of 64 bits is folded to
/// low half xor high half, so seeds below 2^32 are taken as they are and others may coincide.
/// Reads keys as little-endian on every machine.
struct Murmur3_128 : HashBase<Murmur3_128, 2> {
  static constexpr std::string_view name = "murmur3_128";
  static constexpr std::string_view source = "Appleby 2011, MurmurHash3_x64_128 (own code)";
  /// The hash of one key, inlined.
  using Kernel = detail::Murmur3128Kernel;
};

}  // namespace bloomlab
