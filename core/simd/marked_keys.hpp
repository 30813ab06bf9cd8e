// Rounds over keys that are looked up in an array of marks, a byte each: those that meet none are
// dropped, and the others are packed together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// Keys, or what stands for them, and the smallest mark that each has met so far.
struct MarkedKeys {
  std::uint64_t* keys = nullptr;
  std::uint64_t* smallest = nullptr;  ///< 0 .. 255
};

/// What a round leaves.
struct MarkedCount {
  std::size_t left = 0;      ///< keys that met a mark other than 0
  std::size_t at_least = 0;  ///< those of them whose smallest mark is `least` or more
};

/// So many bytes behind the last mark, and so many words behind the last one of each list, must
/// exist; what stands there means nothing, and is lost in `to`.
inline constexpr std::size_t marks_padding = 8;
/// So many words behind the last position must exist; what stands there means nothing.
inline constexpr std::size_t positions_padding = 32;
/// Keys between the hint that asks for a mark and its use.
inline constexpr std::size_t mark_lookahead = 24;
static_assert(mark_lookahead <= positions_padding);

/// Key j of `from` meets marks[positions[j]]. Those whose smallest mark is then not 0 go to `to`,
/// in their order. No memory may overlap another. Precondition: least >= 1.
[[nodiscard]] MarkedCount keep_marked(const std::uint8_t* marks,
                                      std::span<const std::uint64_t> positions,
                                      const MarkedKeys& from, std::uint8_t least,
                                      const MarkedKeys& to);

}  // namespace bloomlab::simd
