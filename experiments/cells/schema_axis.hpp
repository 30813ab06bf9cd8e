// The parts that every axis of a config has, as JSON Schema.
#pragma once

#include <string_view>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// One of several schemas, or a non-empty flat array of such values.
[[nodiscard]] record::Json axis(const std::vector<record::Json>& values);

/// {"range": [a, b], "step": s} with ends that fit `number`, the schema of a number.
[[nodiscard]] record::Json range_of(const record::Json& number);

/// {"per_n": x} with x, or an axis of them, above 0.
[[nodiscard]] record::Json per_n();

/// One of the names.
[[nodiscard]] record::Json word_of(const std::vector<std::string_view>& names);

}  // namespace bloomlab::experiments
