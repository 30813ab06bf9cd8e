// The hash that speeds are measured with where nothing else is asked for.
#pragma once

#include <string_view>

#include "core/hash/multiply_swap_64.hpp"

namespace bloomlab {

/// The fastest of the catalogue for many keys of 8 bytes at once (`configs/speed/hash_speed.json`).
inline constexpr std::string_view speed_hash = MultiplySwap64::name;

}  // namespace bloomlab
