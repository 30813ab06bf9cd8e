// MurmurHash64A (Appleby 2008), own code: no packaged library has it.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/murmur2_64a.hpp"

namespace bloomlab {
/// Word 0 is MurmurHash64A of the key. Reads keys as little-endian on every machine.
struct Murmur2_64A : HashBase<Murmur2_64A, 1> {
  static constexpr std::string_view name = "murmur2_64a";
  static constexpr std::string_view source =
      "Appleby 2008, MurmurHash2 for 64-bit platforms (MurmurHash64A; own code)";
  /// The hash of one key, inlined.
  using Kernel = detail::Murmur264aKernel;
};

}  // namespace bloomlab
