// How far ahead of its use the memory of a filter is asked for, by the filter's size: what a batch
// of keys waits for differs between a filter that a core's cache holds and one in main memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomlab {

/// Largest number of keys between the hint and the use of memory.
inline constexpr std::size_t max_lookahead = 256;

/// Settings of batches that change how fast a filter is, never what it answers. The defaults suit
/// processors of servers of the years around 2020; a calibration can measure better ones.
struct BatchTuning {
  /// Memory up to which a filter is taken to be in a core's own cache: no hints [bytes].
  std::uint64_t cached_bytes = std::uint64_t{1} << 18;
  /// Memory up to which a filter is taken to be in the last shared cache [bytes].
  std::uint64_t shared_bytes = std::uint64_t{1} << 22;
  /// Keys between the hint and the use of memory in the shared cache, 0 .. 256.
  std::size_t shared_lookahead = 32;
  /// Keys between the hint and the use of memory behind all caches, 0 .. 256.
  std::size_t memory_lookahead = 128;
  /// Memory up to which lookups of single cells go without hints, as a processor has loads enough
  /// under way by itself: by vectors of 64 bytes [bytes].
  std::uint64_t unasked_bytes = std::uint64_t{1} << 24;
  /// The same by narrower vectors, which gather more slowly [bytes].
  std::uint64_t narrow_unasked_bytes = std::uint64_t{1} << 23;

  /// The same number of keys whatever the filter's size. @param keys 0 .. 256; 0: no hints
  [[nodiscard]] static constexpr BatchTuning always(std::size_t keys) noexcept {
    return {.cached_bytes = 0,
            .shared_bytes = 0,
            .shared_lookahead = keys,
            .memory_lookahead = keys,
            .unasked_bytes = 0,
            .narrow_unasked_bytes = 0};
  }

  friend bool operator==(const BatchTuning&, const BatchTuning&) = default;

  /// Whether a filter of `memory_bytes` is taken to be more than caches hold.
  [[nodiscard]] constexpr bool in_memory(std::uint64_t memory_bytes) const noexcept {
    return memory_bytes > shared_bytes;
  }

  /// Whether it is so much more that lookups of single cells ask for them too.
  [[nodiscard]] constexpr bool far_in_memory(std::uint64_t memory_bytes) const noexcept {
    return in_memory(memory_bytes) && memory_bytes > unasked_bytes;
  }
  /// The same for vectors of fewer than 64 bytes.
  [[nodiscard]] constexpr bool far_for_narrow(std::uint64_t memory_bytes) const noexcept {
    return in_memory(memory_bytes) && memory_bytes > narrow_unasked_bytes;
  }

  /// Keys between the hint and the use in a filter of `memory_bytes`; 0: no hints.
  [[nodiscard]] constexpr std::size_t lookahead(std::uint64_t memory_bytes) const noexcept {
    if (memory_bytes <= cached_bytes) return 0;
    return memory_bytes <= shared_bytes ? shared_lookahead : memory_lookahead;
  }
};

}  // namespace bloomlab
