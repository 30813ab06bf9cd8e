// A list of types, and the loop over it. The catalogues of the project are such lists: the compiler
// checks them, and each is a page to read.
#pragma once

#include <cstddef>
#include <type_traits>

namespace bloomlab {

/// A list of types. Holds nothing.
template <class... Types>
struct TypeList {
  static constexpr std::size_t size = sizeof...(Types);
};

namespace detail {
template <class... Types, class Function>
constexpr void for_each_type(TypeList<Types...>, Function&& function) {
  (function(std::type_identity<Types>{}), ...);
}
}  // namespace detail

/// Calls `function(std::type_identity<T>{})` for every T of the list, in its order.
template <class List, class Function>
constexpr void for_each_type(Function&& function) {
  detail::for_each_type(List{}, function);
}

}  // namespace bloomlab
