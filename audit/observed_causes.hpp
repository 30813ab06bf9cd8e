// What may have happened to a filter whose counts are not as they should be: causes that numbers
// alone can tell.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "audit/causes.hpp"
#include "audit/observation.hpp"

namespace bloomlab::audit::detail {

/// Keys after n of them that the filter takes notice of: of those with equal hashes one, where the
/// width of the hash is known.
[[nodiscard]] std::uint64_t different_keys(const Observed& observed, std::uint64_t n);

/// The rate after different_keys, with what equal hashes add, where the width of the hash is known.
[[nodiscard]] double with_hash_floor(const Observed& observed, std::uint64_t n, double rate);

/// Every candidate, whatever it fits. They refer to `observed`, which must outlive them.
[[nodiscard]] std::vector<Cause> observed_causes(const Observed& observed,
                                                 std::span<const Place> places);

/// What to change; empty where there is nothing to say.
[[nodiscard]] std::string_view mend_of(Class kind);

}  // namespace bloomlab::audit::detail
