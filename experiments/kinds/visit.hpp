// The kind of a config and the cells of its own grid, typed: names become types by walking the
// catalogue of kinds, which nothing below the kinds may do.
#pragma once

#include <filesystem>
#include <type_traits>

#include "experiments/cell_parts.hpp"
#include "experiments/config.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

/// Calls `use(std::type_identity<Kind>{}, Kind::Parameters)` for the config's kind and its own
/// keys.
template <class Use>
void visit_kind(const Config& config, Use&& use) {
  visit_name<Kinds>(config.kind, [&]<class Kind>(std::type_identity<Kind> type) {
    use(type, record::own_parameters_of<Kind>(config.json));
  });
}

/// The cell of a kind with a grid of its own: Kind::Point::Parameters. Paths in it start from the
/// folder.
template <OwnGrid Kind>
[[nodiscard]] typename Kind::Point::Parameters point_of(const record::Json& cell,
                                                        const std::filesystem::path& folder) {
  auto point = record::own_parameters_of<typename Kind::Point>(cell);
  if constexpr (requires { point.folder = folder; }) point.folder = folder;
  return point;
}
template <OwnGrid Kind>
[[nodiscard]] typename Kind::Point::Parameters point_of(const Cell& cell) {
  return point_of<Kind>(cell.json, cell.folder);
}

}  // namespace bloomlab::experiments
