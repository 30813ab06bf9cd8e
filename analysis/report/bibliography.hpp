// What became of the literature that the lab report names: built as a filter, simulated by an
// experiment, or left out for a reason that is said.
#pragma once

#include <vector>

#include "analysis/content.hpp"
#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// One row a reference of sources/bibliography.json. A verdict is computed: "built" if all filters
/// that it names are in the catalogue, else "simulated" if all its experiments were measured, else
/// out of scope. The experiments at hand are linked.
[[nodiscard]] Table bibliography_table(const std::vector<Experiment>& experiments,
                                       const Words& words);

}  // namespace bloomlab::analysis
