// What a comparison of two result folders found, as text and as JSON.
#pragma once

#include <string>

#include "analysis/compare/comparison.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// What is printed: the comparison with what it was asked.
struct ComparisonAnswer {
  std::string first;   ///< folder
  std::string second;  ///< folder
  const analysis::compare::Pairing& pairing;
  const analysis::compare::Comparison& comparison;
  analysis::compare::FailOn limits;

  [[nodiscard]] bool failed() const { return analysis::compare::fails(comparison, limits); }
};

/// A table, changed differences first, what was not compared, and a summary in the last lines.
[[nodiscard]] std::string comparison_report(const ComparisonAnswer& answer);

/// Everything, every test included. Numbers that are not finite are null.
[[nodiscard]] record::Json comparison_json(const ComparisonAnswer& answer);

}  // namespace bloomlab::cli
