// Preconditions of the module's functions: each throws std::invalid_argument with one line that
// says which function, what was found, and what is allowed.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomlab::statistics::detail {

/// Counts above 2^53 are not exact in double: no function takes them.
inline constexpr std::uint64_t largest_count = std::uint64_t{1} << 53;

/// Throws std::invalid_argument("WHERE: WHAT is VALUE; it must ALLOWED") unless `holds`.
void require(bool holds, std::string_view where, std::string_view what, double value,
             std::string_view allowed);

/// `value` strictly between 0 and 1: confidence levels, significance levels, powers.
void require_open_unit(std::string_view where, std::string_view what, double value);

/// `value` in [0, 1]: rates and p-values.
void require_probability(std::string_view where, std::string_view what, double value);

/// `value` finite and >= 0: variances.
void require_variance(std::string_view where, std::string_view what, double value);

/// `value` in [1, 2^53].
void require_positive_count(std::string_view where, std::string_view what, std::uint64_t value);

/// 1 <= queries <= 2^53 and hits <= queries.
void require_hits(std::string_view where, std::uint64_t hits, std::uint64_t queries);

}  // namespace bloomlab::statistics::detail
