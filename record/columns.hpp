// Observations as a result file has them: a cell once, its counts and durations as columns over the
// rows of the cell. A row is a trial, or one step of it.
//
//   {"cell": {...}, "group": "...", "redrawn": [...], "trials": 30, "steps": 20,
//    "measured": {"inserted": [1000], "false_positives": [12, 9, ...]}, "timing": {...}}
//
// A column has an entry for each row, or a single one that holds for all; null stands where a row
// has no such member. Where no column has an entry for each row, the config has "trials" (and
// "steps"), and there are at most 100 000 rows. "steps" is left out where trials have none. Rows
// that are not trials from 0, each with steps from 1, say so: "trial": [...], "step": [...].
// "seed": [...] is left out where every seed is that of its trial (record/cell_seed.hpp) and the
// rows are said otherwise.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "record/json_view.hpp"
#include "record/observation.hpp"

namespace bloomlab::record {

/// The member `redrawn` of a cell or an observation. Throws InputError for an unknown word.
[[nodiscard]] std::vector<std::string> redrawn_in(const ObjectReader& reader);

/// Calls `use` with one entry a run of neighbouring observations of one cell, in order, of which
/// one is in memory at a time. `config` is that of the observations. Reading the entries gives the
/// same observations again.
void for_each_entry(const std::vector<Observation>& observations, const Json& config,
                    const std::function<void(const Json&)>& use);

/// The observations of entry number `number`, which stands at /cells/NUMBER of `origin`. Throws
/// InputError, naming the place, where a member is missing, unknown or of the wrong kind, or a
/// column has the wrong length.
[[nodiscard]] std::vector<Observation> observations_of(const Json& entry, std::size_t number,
                                                       const Origin& origin, const Json& config);

}  // namespace bloomlab::record
