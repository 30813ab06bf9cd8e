// The names of format 1 that are retired, beside those of the field that stand for them now: the
// one table of both. In memory and in all that is written stand the words of the field. Seeds and
// digests are made from the words of format 1, so that no count and no digest changes; whoever
// reads a config or a result may meet either.
#pragma once

#include <string>
#include <string_view>

#include "record/json.hpp"

namespace bloomlab::record {

/// The name of today for a parameter, count or duration, and that of format 1; others stay.
[[nodiscard]] std::string_view name_of_today(std::string_view name);
[[nodiscard]] std::string_view name_in_format_1(std::string_view name);

/// A JSON pointer into a cell with the names of format 1.
[[nodiscard]] std::string pointer_in_format_1(const std::string& pointer);

/// An object of counts or durations under other names. A name that is retired stays where the one
/// of today is there too: it is refused as unknown by whoever reads on.
[[nodiscard]] Json counts_of_today(const Json& counts);
[[nodiscard]] Json counts_in_format_1(const Json& counts);

/// A cell, whole or in part, or a grid: its names, and the words that are values of "way".
[[nodiscard]] Json cell_of_today(const Json& cell);
[[nodiscard]] Json cell_in_format_1(const Json& cell);

/// A config: its keys, grid, pointers and cells of flags, and texts of the configs of this project.
/// What is not as a config should be stays as it is.
[[nodiscard]] Json config_of_today(const Json& config);
[[nodiscard]] Json config_in_format_1(const Json& config);

/// Where a result comes from; of it, what peers say of themselves.
[[nodiscard]] Json provenance_of_today(const Json& provenance);

}  // namespace bloomlab::record
