// Words of one range, out of many: what the digests and positions of a share of a filter are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// Writes those of the words that are `first` .. `last` to `out`, in their order; how many they
/// are. `out` has room for words.size() words, may be the words themselves, and no other part of
/// them; what stands there behind those that are kept means nothing. Precondition: first <= last.
[[nodiscard]] std::size_t keep_range(std::span<const std::uint64_t> words, std::uint64_t first,
                                     std::uint64_t last, std::uint64_t* out);

}  // namespace bloomlab::simd
