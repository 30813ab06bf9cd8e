// From a point of the grid, as the config writes it, to a cell with everything resolved.
#pragma once

#include <string_view>
#include <vector>

#include "experiments/cell.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "record/json_view.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

/// Largest number of keys of a cell; below 2^60, so that sums and products of sizes fit.
inline constexpr std::uint64_t max_keys = std::uint64_t{1} << 40;

/// n of a cell.
inline constexpr IntegerField keys_field = {"n", "keys", "distinct keys inserted", 1, max_keys};

/// The keys of a grid, in the order of a cell.
[[nodiscard]] const std::vector<std::string_view>& grid_keys();

/// Reads a point of the grid, {"keys", "n", "filter", "hash"} without any axis, and checks that its
/// parts go together. `number`, `seed_text` and `group` are left to the caller.
/// Throws record::InputError.
[[nodiscard]] Cell resolve_cell(const record::JsonView& point);

/// The same for a kind with a grid of its own: its fields, and nothing else.
template <OwnGrid Kind>
[[nodiscard]] Cell resolve_own_cell(const record::JsonView& point) {
  const auto known = record::field_names<typename Kind::Point>();
  const auto parameters =
      record::read_parameters<typename Kind::Point>(record::ObjectReader(point, "the grid", known));
  Cell cell;
  cell.json = record::Json::object();
  record::write_parameters<typename Kind::Point>(parameters, cell.json);
  cell.redrawn.assign(Kind::redrawn().begin(), Kind::redrawn().end());
  return cell;
}

}  // namespace bloomlab::experiments
