// How a program's own types become keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomlab {

/// A type for which its namespace has a function `filter_key(const Type&)` that returns what a
/// filter takes: an integer, a text or a span of bytes (of the value itself, not of a temporary).
template <class Type>
concept HasKeyForm = requires(const Type& value) {
  {filter_key(value)};
}
&&(
    requires(const Type& value) {
      { filter_key(value) } -> std::integral;
    } ||
    requires(const Type& value) {
      { filter_key(value) } -> std::convertible_to<std::string_view>;
    } ||
    requires(const Type& value) {
      { filter_key(value) } -> std::convertible_to<std::span<const std::byte>>;
    });

/// A seed that nobody knows beforehand, for filters whose keys may be chosen to meet. Two filters
/// of different seeds cannot be merged.
[[nodiscard]] std::uint64_t random_seed();

}  // namespace bloomlab
