// The words of seeds and digests. They are made from the words of the first results, so that no
// count and no digest changes where a name does: here is the one table of both. Everywhere else
// stand the words of the field alone.
#pragma once

#include <string>

#include "record/json.hpp"

namespace bloomlab::record {

/// A JSON pointer into a cell.
[[nodiscard]] std::string digested_pointer(const std::string& pointer);

/// An object of counts.
[[nodiscard]] Json digested_counts(const Json& counts);

/// A cell, whole or in part, or a grid: its names, and the words that are values of "way".
[[nodiscard]] Json digested_cell(const Json& cell);

/// A config: its keys, grid, pointers and cells of flags, and texts of the configs of this project.
/// What is not as a config should be stays as it is.
[[nodiscard]] Json digested_config(const Json& config);

}  // namespace bloomlab::record
