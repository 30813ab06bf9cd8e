// The bit array as rows of text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/explain/paint.hpp"

namespace bloomlab::analysis::explain {

/// How the bit of a key is marked: [1] and [0] are what decides, (1) is what was there already.
using Marks = std::map<std::uint64_t, Ink>;

/// Rows of sixteen bits with their positions above them, each line ended by a line feed. Bits
/// without a mark stand bare.
[[nodiscard]] std::string bit_rows(const std::vector<bool>& bits, const Marks& marks,
                                   Colours colours);

}  // namespace bloomlab::analysis::explain
