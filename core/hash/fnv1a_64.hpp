// FNV-1a with 64 bits (Fowler, Noll, Vo 1991), own code: a byte a step, weak in its high bits.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/fnv1a_64.hpp"

namespace bloomlab {
/// Word 0 is FNV-1a of the key; a seed other than 0 is put in front of the key as 8 little-endian
/// bytes.
struct Fnv1a_64 : HashBase<Fnv1a_64, 1> {
  static constexpr std::string_view name = "fnv1a_64";
  static constexpr bool takes_seed = false;
  static constexpr std::string_view source =
      "Fowler, Noll, Vo 1991, The FNV non-cryptographic hash algorithm (IETF draft; own code)";
  /// The hash of one key, inlined.
  using Kernel = detail::Fnv1a64Kernel;
};

}  // namespace bloomlab
