// Reference values: rows of inputs and values, made with 60 digits and printed to 17.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/theory/models.hpp"

namespace bloomlab::theory {

/// The rows of tests/theory/golden/NAME.json.
nlohmann::json golden_rows(std::string_view name);

/// The query of a model whose arguments are the row's fields of these names.
Query golden_query(std::string_view model, const nlohmann::json& row,
                   std::initializer_list<std::string_view> names);

/// |found / expected - 1|; 0 where both are 0.
inline double relative_error(double found, double expected) {
  if (found == expected) return 0.0;
  return std::abs(found - expected) / std::abs(expected);
}

}  // namespace bloomlab::theory
