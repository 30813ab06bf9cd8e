// The hash of a cell: its name, the hashing scheme and the reduction, and what goes with what.
#pragma once

#include <string_view>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// What a hash is given when the config leaves it out.
inline constexpr std::string_view default_probe = "independent";
inline constexpr std::string_view default_reduction = "multiply_shift";

/// Who turns digests into positions.
enum class Positions { by_probe, by_filter };

/// The names that a hash has in configs: known ones, and that of a program.
[[nodiscard]] std::vector<std::string_view> names_in_configs();

/// Reads {"name", "probe", "reduction"}, and what names a program, into the cell, whose filter is
/// known. A filter that chooses its own positions takes neither probe nor reduction.
/// @return the object of the cell's JSON   Throws record::InputError.
[[nodiscard]] record::Json read_hash(const record::JsonView& view, Positions positions, Cell& cell);

/// The same for a filter from outside, which has a hash of its own: the cell has it as it is
/// written, so that such a filter can stand in one grid with others, and nothing uses it.
[[nodiscard]] record::Json read_unused_hash(const record::JsonView& view);

/// Refuses keys that the cell's probe cannot mix itself, where it must: only 32-bit integers.
void check_key_width(const record::JsonView& keys, const Cell& cell);

}  // namespace bloomlab::experiments
