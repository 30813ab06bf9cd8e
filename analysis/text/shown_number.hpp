// Back from a number for people (format/number.hpp) to the number, so that a table of texts can be
// put in order.
#pragma once

#include <optional>
#include <string_view>

namespace bloomlab::analysis {

/// The number that a text of format/number.hpp shows: of an estimate with its interval the
/// estimate, of a percentage the fraction ("+1.2 %" is 0.012), of "< 10⁻¹²" the bound. Nothing for
/// every other text, so also for "–".
[[nodiscard]] std::optional<double> shown_number(std::string_view text);

}  // namespace bloomlab::analysis
