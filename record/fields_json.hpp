// Answers as JSON: structs by their fields (record/fields.hpp), lists of them, and objects of
// single values.
#pragma once

#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "record/json.hpp"

namespace bloomlab::record {

template <class Value>
[[nodiscard]] Json json_of(const Value& value);

namespace detail {

inline void add_fields(Json& /*object*/) {}

template <class Value, class... Rest>
void add_fields(Json& object, std::string_view name, const Value& value, const Rest&... rest) {
  object[std::string(name)] = json_of(value);
  add_fields(object, rest...);
}

/// Cuts the first name, without "()", from a list separated by ", ".
inline std::string cut_name(std::string_view& names) {
  const std::string_view name = names.substr(0, names.find(", "));
  names.remove_prefix(std::min(names.size(), name.size() + 2));
  return std::string(name.substr(0, name.find('(')));
}

template <class Value>
concept Listed = std::ranges::range<Value> && !std::is_convertible_v<Value, std::string_view> &&
                 !std::is_same_v<Value, Json>;

}  // namespace detail

/// An object of names and values in turn: object("n", 10, "m", 100).
template <class... Parts>
[[nodiscard]] Json object(const Parts&... parts) {
  Json json = Json::object();
  detail::add_fields(json, parts...);
  return json;
}

/// A struct with fields as an object, an enum by its name(), an optional that is empty as null, a
/// range of these as an array, and what JSON knows as it is.
template <class Value>
Json json_of(const Value& value) {
  if constexpr (requires { value.fields(); }) {
    Json json = Json::object();
    std::string_view names = Value::field_names;
    std::apply([&](const auto&... held) { ((json[detail::cut_name(names)] = json_of(held)), ...); },
               value.fields());
    return json;
  } else if constexpr (std::is_enum_v<Value>) {
    return name(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value ? json_of(*value) : Json(nullptr);
  } else if constexpr (detail::Listed<Value>) {
    Json json = Json::array();
    for (const auto& one : value) json.push_back(json_of(one));
    return json;
  } else {
    return value;
  }
}

}  // namespace bloomlab::record
