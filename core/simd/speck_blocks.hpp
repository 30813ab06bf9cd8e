// Speck64/128 (core/keys/keyed_permutation.hpp, which is the reference) of many blocks side by
// side: the same on every target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// Encrypts the first blocks, (high half, low half) each, under these round keys: as many whole
/// groups as there are, the size of which is the target's. @return how many blocks that were
[[nodiscard]] std::size_t encrypt_groups(std::span<const std::uint32_t> round_keys,
                                         std::span<std::uint64_t> blocks);

}  // namespace bloomlab::simd
