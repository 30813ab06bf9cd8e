// The join with theory: every cell's filter names the closed form that predicts it, and that form
// is evaluated at the cell's parameters. Nothing here knows a filter by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"

namespace bloomlab::analysis {

/// The closed form for `n` distinct keys in the filter that `cell` describes.
/// Throws record::InputError for an unknown filter or wrong parameters, record::RunError where the
/// model refuses them. `where` names file and cell in errors.
[[nodiscard]] Prediction predict(const Json& cell, std::uint64_t n, const std::string& where);

/// Only the recommended rate, from the same form; for the dense lines of figures.
[[nodiscard]] double predicted_rate(const Json& cell, std::uint64_t n);

/// Every measurement with its prediction, at the keys that were inserted by then.
[[nodiscard]] std::vector<Measurement> with_theory(std::vector<Measurement> measurements,
                                                   const std::string& where);

}  // namespace bloomlab::analysis
