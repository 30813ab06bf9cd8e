// What a file of speeds says in a sentence or two: which implementation is the fastest, and by how
// much.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/kinds/speed_rows.hpp"

namespace bloomlab::cli {

/// One sentence for each duration, absent keys first, at most so many: the fastest implementation
/// beside `standard`, or beside the slowest where there is no such row, under the last conditions
/// of the grid that have several. Rows without a filter (`limit`) are no implementations; of hashes
/// all are. None where nothing can be compared.
[[nodiscard]] std::vector<std::string> speed_sentences(const analysis::SpeedRun& run,
                                                       std::size_t most);

}  // namespace bloomlab::cli
