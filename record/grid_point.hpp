// Whether a cell is a point of a config's grid, by reading both: without the program that expands
// grids, and without what that looks up on the machine (key files, memory).
#pragma once

#include "record/result_file.hpp"

namespace bloomlab::record {

/// Whether every member of the grid has, in the cell, a value that the grid offers: the value
/// itself (numbers by value), one element of an array, a number of a range, ceil(x n) of a
/// "per_n". Members of the cell that the grid leaves out are resolved defaults and not looked at.
/// A malformed range or per_n offers nothing. Bits per key of a filter of blocks offer whole
/// blocks.
[[nodiscard]] bool is_point_of(const Json& grid, const Json& cell);

}  // namespace bloomlab::record
