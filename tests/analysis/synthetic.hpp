// Result files without a run: counts drawn from theory with a fixed seed, so that a test knows what
// the analysis must find.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/data/load.hpp"
#include "record/result_file.hpp"

namespace synthetic {

using bloomlab::record::Json;

/// What to draw. Cells: every m with every k, standard filters, in that order.
struct Plan {
  std::string stem = "synthetic";
  std::uint64_t n = 1000;
  std::vector<std::uint64_t> m = {8000, 10000};
  std::vector<std::uint64_t> k = {3, 5};
  std::uint64_t trials = 10;
  std::uint64_t queries = 100000;
  std::uint64_t seed = 1;
  std::string probe = "independent";
  Json expected_flags = Json::array();
  /// True rate over theory's, by cell.
  std::function<double(const Json& cell)> factor = [](const Json&) { return 1.0; };
  /// Bits set beyond theory's mean, in standard deviations of one filter, by cell.
  std::function<double(const Json& cell)> excess = [](const Json&) { return 0.0; };
};

/// The cell of a standard filter.
Json standard_cell(std::uint64_t n, std::uint64_t m, std::uint64_t k, const std::string& probe);

/// One observation with these counts.
bloomlab::record::Observation observation(const Json& cell, std::uint64_t trial, std::uint64_t hits,
                                          std::uint64_t queries, std::uint64_t bits_set,
                                          double conditional_rate);

/// A result file as a run of that plan would have written it if theory were right (but for
/// `factor` and `excess`).
bloomlab::record::ResultFile results(const Plan& plan);

/// The same, analysed.
bloomlab::analysis::Experiment experiment(const Plan& plan);

}  // namespace synthetic
