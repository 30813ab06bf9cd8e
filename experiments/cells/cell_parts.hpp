// The typed content of a cell: names become types by walking the catalogues, once a cell. The
// functions given must accept every type of the catalogue; all return void.
#pragma once

#include <any>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/catalogue.hpp"
#include "core/type_list.hpp"
#include "experiments/cells/cell.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/sources/catalogue.hpp"

namespace bloomlab::experiments {

/// Calls `use(std::type_identity<T>{})` for the type of the list that has this name.
/// Throws std::invalid_argument where there is none.
template <class List, class Use>
void visit_name(std::string_view name, Use&& use) {
  bool found = false;
  for_each_type<List>([&]<class T>(std::type_identity<T> type) {
    if (!found && T::name == name) {
      found = true;
      use(type);
    }
  });
  if (!found)
    throw std::invalid_argument("no type of the catalogue is called " + std::string(name));
}

/// Calls `use(std::type_identity<Filter>{}, Filter::Parameters)` for the cell's filter, with
/// Filter = ForeignCell for one from outside.
template <class Use>
void visit_filter(const Cell& cell, Use&& use) {
  if (is_foreign(cell.filter)) {
    use(std::type_identity<ForeignCell>{},
        std::any_cast<const ForeignCell::Parameters&>(cell.filter_parameters));
    return;
  }
  visit_name<Filters>(cell.filter, [&]<class Filter>(std::type_identity<Filter> type) {
    use(type, std::any_cast<const typename Filter::Parameters&>(cell.filter_parameters));
  });
}

/// Calls `use(std::type_identity<Source>{}, Source::Parameters)` for the cell's key source.
template <class Use>
void visit_source(const Cell& cell, Use&& use) {
  visit_name<Sources>(cell.source, [&]<class Source>(std::type_identity<Source> type) {
    use(type, std::any_cast<const typename Source::Parameters&>(cell.key_parameters));
  });
}

}  // namespace bloomlab::experiments
