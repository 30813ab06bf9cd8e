// The published JSON Schema of configs, made from the catalogues.
#pragma once

#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// JSON Schema (draft 7) of a config: its keys, types, bounds and words, for editors and for checks
/// before a run. It cannot see what read_config sees beyond one place: a key that stands twice,
/// equal cells, a range whose step misses its end, what goes with what (hash, probe, reduction, m,
/// k, keys), supply of keys, memory, files. Some validators take 1000.0 for an integer.
[[nodiscard]] record::Json config_schema();

}  // namespace bloomlab::experiments
