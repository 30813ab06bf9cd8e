// The layout that somebody says a filter has, as JSON.
#pragma once

#include <cstdint>

#include "audit/layout.hpp"
#include "record/json.hpp"

namespace bloomlab::audit {

/// The layout of a filter as a config names it, {"kind": "standard", "m": ..., "k": ...}, or of a
/// closed form, {"model": "standard_exact", "m": ..., "k": ...}. Sizes are those of a filter for
/// `declared_for` keys and grow with `size`. Throws record::InputError.
[[nodiscard]] Layout layout_of(const record::Json& expected, std::uint64_t declared_for,
                               std::uint64_t size, std::uint64_t memory_bits);

}  // namespace bloomlab::audit
