// Which calls hand out views of an owner, and whether of a temporary too: a range-for would walk
// those after the temporary is gone.
#pragma once

#include <catch2/catch.hpp>
#include <type_traits>
#include <utility>

/// A function object that can be called with an owner wherever `owner.call` compiles.
#define BLOOMLAB_VIEW(call)                                                         \
  [](auto&& owner) requires requires { std::forward<decltype(owner)>(owner).call; } \
  {}

namespace bloomlab::test {

/// Checks that the view can be had of an `Owner` with a name, and of no temporary.
template <class Owner, class View>
void check_lends_only_named(View) {
  CHECK(std::is_invocable_v<View, Owner&>);
  CHECK_FALSE(std::is_invocable_v<View, Owner>);
  CHECK_FALSE(std::is_invocable_v<View, const Owner>);
}

}  // namespace bloomlab::test
