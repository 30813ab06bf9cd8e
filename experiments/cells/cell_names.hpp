// The names of a catalogue's types.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "core/type_list.hpp"

namespace bloomlab::experiments {

/// The names of the types of a list, in its order.
template <class List>
[[nodiscard]] std::vector<std::string_view> catalogue_names() {
  std::vector<std::string_view> names;
  for_each_type<List>([&]<class T>(std::type_identity<T>) { names.push_back(T::name); });
  return names;
}

}  // namespace bloomlab::experiments
