// SipHash-1-3 (Aumasson, Bernstein 2012), own code: the one hash of the catalogue that is keyed.
// Whoever does not know its seed can neither compute it nor find keys that it maps to chosen
// values; of the other fast hashes nobody claims that.
#pragma once

#include <string_view>

#include "core/hash/hash_base.hpp"
#include "core/hash/kernel/siphash.hpp"

namespace bloomlab {
/// Word 0 is SipHash-1-3 of the key. The function's secret has 128 bits: the seed's 8 little-endian
/// bytes, then 8 bytes of 0, so that somebody who tries all secrets has 2^64 of them to try. A
/// secret only while the seed is one: take random_seed(). Reads keys as little-endian on every
/// machine.
struct SipHash13 : HashBase<SipHash13, 1> {
  static constexpr std::string_view name = "siphash13";
  static constexpr std::string_view source =
      "Aumasson, Bernstein 2012, SipHash: a fast short-input PRF (SipHash-1-3; own code)";
  /// The hash of one key, inlined.
  using Kernel = detail::SipHashKernel<1, 3>;
};

}  // namespace bloomlab
