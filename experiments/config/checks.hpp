// The checks of a config that look at more than one place of it.
#pragma once

#include "experiments/config/config.hpp"
#include "experiments/machine/machine.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// Checks one cell against the config's kind and trials, its key source's supply and the machine's
/// memory. `point` is where the cell stands. Throws record::InputError.
void check_cell(const record::JsonView& root, const record::JsonView& point, const Config& config,
                const Cell& cell, const Machine& machine);

/// Checks that every pointer of `shared_across` names something in some cell.
/// Throws record::InputError.
void check_shared_across(const record::JsonView& root, const Config& config);

/// Checks that every entry of `expected_flags` matches a cell. Throws record::InputError.
void check_expected_flags(const record::JsonView& root, const Config& config);

}  // namespace bloomlab::experiments
