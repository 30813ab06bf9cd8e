// Whether what a result file holds beside its counts follows from them: a number that can be
// computed again is computed again, so that an altered one is named and not believed.
#pragma once

#include <string>

#include "record/result_file.hpp"

namespace bloomlab::analysis {

/// Checks every observation of the file, as far as the config and the cell say what must be:
/// - `timing`: whole numbers from 0 to 10^18 (31 years in nanoseconds), alone or in lists;
/// - absent keys looked up: `queries` of the config, for the kinds false_positive_rate and growth;
/// - `bits`: the cell's m, and `conditional_rate`: (bits_set / bits)^k, for filters that are one
///   array of m bits or counters (standard, compressed, counting, spectral);
/// - `layer_bits` and `layer_bits_set`: as many as `layers`, with the sums `bits` and `bits_set`.
/// Files with `provenance.peers` are passed over. `where` names the file.
/// Throws record::InputError that names the first place that does not hold.
void check_recomputed(const record::ResultFile& file, const std::string& where);

}  // namespace bloomlab::analysis
