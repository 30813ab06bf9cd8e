// The blocks of filters of blocks: a size that a config gives as bits per key is rounded up to
// them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/parameters.hpp"
#include "record/json.hpp"

namespace bloomlab::record {

/// Bits of a block of such a filter, whatever its m; 1 for filters that are not made of blocks, and
/// for parameters that leave a block no bits.
template <class Filter>
[[nodiscard]] std::uint64_t block_bits(typename Filter::Parameters parameters) {
  if constexpr (requires { Filter::block_rates(parameters); }) {
    parameters.m = max_filter_bits;
    const auto shape = Filter::shape(parameters);
    return shape.blocks == 0 ? 1 : std::max<std::uint64_t>(1, shape.bits() / shape.blocks);
  } else {
    return 1;
  }
}

/// The same of the filter of a cell, {"kind": ..., parameters}; 1 where it is none.
[[nodiscard]] std::uint64_t block_bits_of(const Json& filter);

}  // namespace bloomlab::record
