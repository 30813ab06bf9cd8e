// What the files of the catalogue share: descriptions of common arguments, and their reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {

/// Largest integer argument: 2^63, exact as a double.
inline constexpr double largest_integer = 0x1p63;

inline ArgumentInfo integer_argument(std::string_view name, std::string_view unit,
                                     std::string_view meaning, double min,
                                     double max = largest_integer) {
  return {name, ArgumentInfo::Kind::integer, unit, meaning, min, max, false, false, {}, false};
}

/// A real number strictly between min and max.
inline ArgumentInfo open_argument(std::string_view name, std::string_view unit,
                                  std::string_view meaning, double min = 0.0, double max = 1.0) {
  return {name, ArgumentInfo::Kind::real, unit, meaning, min, max, true, true, {}, false};
}

/// A real number from min to max.
inline ArgumentInfo closed_argument(std::string_view name, std::string_view unit,
                                    std::string_view meaning, double min, double max) {
  return {name, ArgumentInfo::Kind::real, unit, meaning, min, max, false, false, {}, false};
}

inline ArgumentInfo word_argument(std::string_view name, std::string_view meaning,
                                  std::vector<std::string_view> words) {
  return {name,  ArgumentInfo::Kind::word, "",   meaning, 0.0, 0.0, false,
          false, std::move(words),         false};
}

inline ArgumentInfo m_argument() { return integer_argument("m", "bits", "size of the filter", 1); }

inline ArgumentInfo n_argument(double min = 0) {
  return integer_argument("n", "keys", "distinct keys inserted", min);
}

inline ArgumentInfo k_argument(double max = static_cast<double>(max_exact_probes)) {
  return integer_argument("k", "probes per key", "positions set for a key", 1, max);
}

namespace detail {

template <class Result, class... Arguments, std::size_t... Places>
[[nodiscard]] Result call(Result (*function)(Arguments...), std::span<const ArgumentValue> values,
                          std::index_sequence<Places...> /*places*/) {
  return function(std::get<std::remove_cvref_t<Arguments>>(values[Places])...);
}

template <class Result, class... Arguments>
[[nodiscard]] Result call(Result (*function)(Arguments...), std::span<const ArgumentValue> values) {
  return call(function, values, std::index_sequence_for<Arguments...>());
}

}  // namespace detail

/// The function of a model's arguments, in the order of its list: integers, reals and words, each
/// of its own type.
template <auto Function>
[[nodiscard]] auto of_arguments(std::span<const ArgumentValue> values) {
  return detail::call(Function, values);
}

/// The same for a function that gives the value, of a model without columns.
template <auto Function>
[[nodiscard]] Evaluation value_of(std::span<const ArgumentValue> values) {
  return {detail::call(Function, values), {}};
}

}  // namespace bloomlab::theory
