// How many bits of hash a key has in a filter: what puts a floor under the rate of large filters.
#pragma once

#include <algorithm>

#include "core/hash/hasher.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab {

/// Bits of hash that all k positions of a key derive from: the words that the probe reads for k, of
/// 64 bits each or of the hash's digest_bits() where those are fewer. An absent key that shares
/// them with an inserted key is reported whatever the filter's size (the theory
/// `hash_width_floor`). 0 where the positions have no such fingerprint in common (independent
/// probes, the lab's). Supposes that the words of a key under several seeds are independent, which
/// they are not for fnv1a_64 and crc32c.
[[nodiscard]] inline int fingerprint_bits(const Hasher& hasher, const Probe& probe,
                                          int k) noexcept {
  return probe.fingerprint_words(k) * std::min(64, hasher.digest_bits());
}

}  // namespace bloomlab
