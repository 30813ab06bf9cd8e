// The grid of a config: every array in it is an axis, and a cell is one choice for each of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/json_view.hpp"

namespace bloomlab::record {

/// A part of the grid with one value chosen on each of its axes.
struct Choice {
  Json value;
  /// Where chosen values stand in the file: pointer without the axes -> pointer in the file.
  std::map<std::string, std::string> moved = {};
};

/// How many choices a part of the grid has; 2^64 - 1 for more. Checks its shape on the way: throws
/// InputError for an empty axis, an array directly in an array, and a bad range.
///
/// An axis is an array, or {"range": [a, b], "step": s}: a, a + s, ..., b, both ends included; s is
/// 1 when left out and must lead to b. In an array, an element may be an object or a range, whose
/// own values then stand in its place. The words of a command and the names of files in an object
/// with "command" or "path" are a list and no axis.
[[nodiscard]] std::uint64_t count_choices(const JsonView& part);

/// All choices of a part: the first axis in written order varies slowest.
/// Precondition: count_choices(part) did not throw.
[[nodiscard]] std::vector<Choice> choices(const JsonView& part);

/// ceil(x * n) with x taken as the decimal number that it is written as: 9.6 per key are 9600 bits
/// for 1000 keys. 2^64 - 1 where the result is larger. Precondition: x > 0, n < 2^60.
[[nodiscard]] std::uint64_t ceil_per_n(double x, std::uint64_t n);

}  // namespace bloomlab::record
