// Tables of SQL that need code, each for the results that it reads: a page of any such result can
// use it.
#pragma once

#include <span>
#include <string_view>

#include "analysis/data/measurement.hpp"
#include "analysis/pages/database.hpp"

namespace bloomlab::analysis::pages {

/// A derived table, its columns in docs/pages.md.
struct Derivation {
  std::string_view table;
  bool (*fits)(const Experiment& experiment);
  /// Only where it fits. Throws record::InputError for a result that lacks what its kind counts.
  Relation (*make)(const Experiment& experiment);
};

[[nodiscard]] std::span<const Derivation> derivations();

/// One row a cell of a kind of speed: times per key, their ratios to the row "limit", the FPR.
[[nodiscard]] Relation speeds_of(const Experiment& experiment);

/// One row a test of a seeded defect, in the order of the matrix.
[[nodiscard]] Relation mutants_of(const Experiment& experiment);

/// One row a cell and closed form of its FPR, the simplest first: how the measurement judges it.
[[nodiscard]] Relation rungs_of(const Experiment& experiment);

}  // namespace bloomlab::analysis::pages
