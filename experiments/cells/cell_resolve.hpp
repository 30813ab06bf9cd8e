// From a point of the grid, as the config writes it, to a cell with everything resolved.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/cells/cell.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// Largest number of keys of a cell; below 2^60, so that sums and products of sizes fit.
inline constexpr std::uint64_t max_keys = std::uint64_t{1} << 40;

/// n of a cell.
inline constexpr IntegerField keys_field = {"n", "keys", "distinct keys inserted", 1, max_keys};

/// The keys of a grid, in the order of a cell.
[[nodiscard]] const std::vector<std::string_view>& grid_keys();

/// Reads a point of the grid, {"keys", "n", "filter", "hash"} without any axis, and checks that its
/// parts go together; relative paths start from the folder. `number` and seed_text() are
/// left to the caller. Throws record::InputError.
[[nodiscard]] Cell resolve_cell(const record::JsonView& point,
                                const std::filesystem::path& folder = {});

}  // namespace bloomlab::experiments
