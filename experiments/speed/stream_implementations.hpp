// What can tell the new keys of a stream from those seen before, and how much memory it takes for a
// rate.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bloomlab::experiments {

/// The implementations of speed_implementation_names() that have a deduplicator, in that order.
[[nodiscard]] std::span<const std::string_view> stream_implementation_names();

/// Bits per key that bits_per_key_for() tries: from the least that leaves every filter a probe.
inline constexpr double least_stream_bits_per_key = 2.0;
inline constexpr double most_stream_bits_per_key = 256.0;

/// Bits per key with which the closed form of the implementation's filter is at most `fpr` after n
/// distinct keys: the first whole number that will do, less as many sixteenths as still do; nothing
/// where none up to most_stream_bits_per_key does. A peer is given what the filter takes that it is
/// sized as: limits what `split_block` takes.
/// @param implementation of stream_implementation_names()   @param n >= 1   @param fpr in (0, 1)
[[nodiscard]] std::optional<double> bits_per_key_for(std::string_view implementation,
                                                     std::uint64_t n, double fpr);

}  // namespace bloomlab::experiments
