// Closed forms, each evaluated once: sums in many digits take milliseconds, and the join with
// theory, the ladder, pages and claims ask for the same ones.
#pragma once

#include "core/theory/models.hpp"

namespace bloomlab::analysis {

/// As theory::evaluate(); of a query that was asked before, what it gave then. Any thread may call.
[[nodiscard]] theory::Evaluation evaluated(const theory::Query& query);

/// As theory::evaluate_value(), likewise.
[[nodiscard]] theory::ColumnValue evaluated_value(const theory::Query& query);

}  // namespace bloomlab::analysis
