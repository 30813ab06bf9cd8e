// What `bloomlab explain --json` prints.
#pragma once

#include "analysis/explain/trace.hpp"
#include "cli/explain/request.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// A lesson: m, k, n, how keys were hashed, what every insert and query did, the bits from position
/// 0 on, and the lines of the rate.
[[nodiscard]] record::Json trace_json(const analysis::explain::Trace& trace);

/// The puzzle: how many mice, the poisoned bottle's digits, who dies and which bottle that names.
/// `rightly_named` counts the bottles that are named rightly, null where they are too many to try.
[[nodiscard]] record::Json bottles_json(const BottlesRequest& request);

}  // namespace bloomlab::cli
