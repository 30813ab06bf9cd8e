// The unit of work: one trial of the cells of one group. They share keys and seeds, so the keys are
// made once; a kind with a grid of its own makes nothing for several cells, and each is a group.
// Units depend on nothing but the config: any order, thread or machine gives the same counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/config/config.hpp"
#include "experiments/engine/process_run.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Cells of one group, in grid order, and a trial: or all trials, where they stop together.
struct Unit {
  std::vector<const Cell*> cells;  ///< never empty
  std::uint64_t trial = 0;         ///< the first one
  std::uint64_t trials = 1;        ///< how many
  double weight = 0.0;             ///< estimated cost; only ratios have a meaning
};

/// The units for the trials of the cells, in grid order of their first cell, then by trial; trials
/// that are process runs: trial by trial, cells in random turn.
[[nodiscard]] std::vector<Unit> units_of(const Config& config,
                                         const std::vector<const Cell*>& cells);

/// Equal for the cells of one group; a text of the cell's.
[[nodiscard]] const std::string& group_text(const Config& config, const Cell& cell);

/// Cells that are measured in one pass, or a single one.
using Slice = std::vector<const Cell*>;

/// The cells as they are measured, by the groups of units_of(): in one pass where the config's kind
/// allows it, and one by one. Every cell is in exactly one slice, those of a slice by increasing k.
[[nodiscard]] std::vector<Slice> slices_of(const Config& config,
                                           const std::vector<const Cell*>& cells);

/// Whether a slice is measured in a k-sliced pass (k_sliced.hpp).
[[nodiscard]] bool is_sliced(const Config& config, const Slice& slice);

/// Told of a number of keys that are about to be used, batch after batch, by the thread that
/// measures, outside what is timed. What it throws ends the unit.
using KeyMeter = std::function<void(std::uint64_t keys)>;

/// Keys that a unit uses, about: what a KeyMeter is told in all. 0 for kinds with a grid of their
/// own, which tell nothing.
[[nodiscard]] double keys_of(const Config& config, const Unit& unit);

/// Measures a unit: the observations of its cells, each cell's by step. Cells that differ in k
/// alone are measured in one pass where the kind allows (k_sliced.hpp), with the same counts.
/// Memory at any time: pass_memory() (estimate.hpp) of the largest slice.
/// @param make_implementation makes what is measured; empty: make_implementation() of
/// implementation.hpp
/// @param process run measures trials that are to be process runs; empty: they are measured here
/// @param meter is told how far the unit is; may be empty
/// Throws record::RunError that names config, cell and trial where a filter denies an inserted key
/// or fails otherwise, record::InputError, and foreign::SystemFault where this system kept a filter
/// from outside from its turn, or had no memory while it had it.
[[nodiscard]] std::vector<record::Observation> measure(
    const Config& config, const Unit& unit, const ImplementationMaker& make_implementation = {},
    const ProcessRunner& process_run = {}, const KeyMeter& meter = {});

}  // namespace bloomlab::experiments
