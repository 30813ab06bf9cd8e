// Whether set bits stand evenly. A hash whose steps are all even, that does not reach the end, and
// a part of a file that was overwritten, all leave traces that chance does not.
#pragma once

#include <optional>
#include <string>

#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// What is uneven as one line, or nothing: chance would say so of one good filter in 10^8 or less.
/// Nothing is said of filters that are too small, too empty or too full for it.
[[nodiscard]] std::optional<std::string> unevenness(const StoredBits& bits);

}  // namespace bloomlab::formats
