// The fields of an answer by name: a struct lists them once, and record/fields_json.hpp writes
// them.
#pragma once

#include <string_view>
#include <tuple>

/// In a struct: its fields, and calls of its own functions such as `holds()`, in the order in which
/// they are written, each under its own name.
#define BLOOMLAB_FIELDS(...)                                    \
  static constexpr std::string_view field_names = #__VA_ARGS__; \
  [[nodiscard]] auto fields() const { return std::make_tuple(__VA_ARGS__); }
