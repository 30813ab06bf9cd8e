// Speeds for programs.
#pragma once

#include "analysis/kinds/speed_rows.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// {"rows": [{the cell's fields, "process_runs", "times": {name: {"ns_per_key", "low", "high",
/// "process_runs"}}, "bytes_per_key", "rate": {"hits", "queries", "measured", "low", "high",
/// "theory", "adjusted_p", "agrees", "detectable"}}], "noise": {"process_runs", "marked",
/// "steal_ticks", "too_many"}, "conditions": provenance's "speed"}. What a row does not have is
/// left out.
[[nodiscard]] record::Json speed_json(const analysis::SpeedRun& run,
                                      const record::Json& provenance);

}  // namespace bloomlab::cli
