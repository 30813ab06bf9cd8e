// Tables of the theory ladder and of error budgets.
#pragma once

#include <functional>
#include <string>

#include "analysis/data/measurement.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// What a rung or a share of the budget is called; a filter's own layout by its model.
[[nodiscard]] std::string form_name(const std::string& form, const Words& words);

/// Whether more measuring could still accept a rung: some rung is undecided.
[[nodiscard]] bool is_open(const Estimate& estimate);

/// One entry for a cell: the simplest form that describes its rate, and where the hits tell that
/// form from the truth, the simplest that they do not; or what an undecided cell needs.
[[nodiscard]] Entry ladder_entry(const Estimate& estimate, const Words& words);

/// Every rung of every measurement, one a line: CSV only, named "ladder".
[[nodiscard]] Table ladder_table(const Experiment& experiment, const Words& words);

/// The same for reading, named "rungs", of the measurements that fit.
[[nodiscard]] Table rungs_table(const Experiment& experiment, const Words& words,
                                const std::function<bool(const Measurement&)>& fits);

/// The error budget of the measurements that fit, named "budget": the simple form, a column a
/// cause, the rest with its interval, the measured rate; shares relative to the simple form.
[[nodiscard]] Table budget_table(const Experiment& experiment, const Words& words,
                                 const std::function<bool(const Measurement&)>& fits);

}  // namespace bloomlab::analysis
