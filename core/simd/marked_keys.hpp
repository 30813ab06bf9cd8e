// Rounds over keys that are looked up in an array of marks, a byte each: those that meet none are
// dropped, and the others are packed together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// Keys, or what stands for them, and the smallest mark that each has met so far.
struct MarkedKeys {
  const std::uint64_t* keys = nullptr;
  const std::uint64_t* smallest = nullptr;  ///< 0 .. 255
};

/// Where those that are left go.
struct KeptKeys {
  std::uint64_t* keys = nullptr;
  std::uint64_t* smallest = nullptr;
};

/// Most marks that a key meets in one round.
inline constexpr std::size_t max_marks_met = 4;

/// Where the marks stand that the keys of a round meet. Planar: key j meets the marks at
/// positions[j], positions[keys + j], and so on.
struct MarkPositions {
  const std::uint64_t* positions = nullptr;
  std::size_t keys = 0;
  std::size_t marks_met = 1;  ///< of every key: 1, 2 or 4
  bool in_memory = false;     ///< the marks are more than caches hold, so that hints ask for them
};

/// What a round leaves.
struct MarkedCount {
  std::size_t left = 0;  ///< keys that met no mark of 0
  /// [i]: keys whose smallest mark, once they have met i + 1 of the round, is `least` - i or more.
  std::array<std::size_t, max_marks_met> at_least = {};
};

/// So many bytes behind the last mark, and so many words behind the last one of either list of
/// KeptKeys, must exist; what stands there means nothing.
inline constexpr std::size_t marks_padding = 8;
/// So many words behind the last position must exist; what stands there means nothing.
inline constexpr std::size_t positions_padding = 32;
/// Keys between the hint that asks for a mark and its use, where there are hints.
inline constexpr std::size_t mark_lookahead = 24;
static_assert(mark_lookahead <= positions_padding);

/// The keys of `from` meet their marks. Those whose smallest mark is then not 0 go to `to`, in
/// their order. No memory may overlap another. Precondition: least >= positions.marks_met.
[[nodiscard]] MarkedCount keep_marked(const std::uint8_t* marks, const MarkPositions& positions,
                                      const MarkedKeys& from, std::uint8_t least,
                                      const KeptKeys& to);

/// at_least[i] becomes the number of marks that are `most` - i or more.
/// Precondition: at_least.size() <= most.
void count_marks(std::span<const std::uint8_t> marks, std::uint8_t most,
                 std::span<std::uint64_t> at_least);

}  // namespace bloomlab::simd
