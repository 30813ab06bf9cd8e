#include "analysis/pages/derived/derivations.hpp"

#include <array>

#include "analysis/kinds/speed_rows.hpp"

namespace bloomlab::analysis::pages {

std::span<const Derivation> derivations() {
  static constexpr std::array<Derivation, 3> all = {{
      {"speeds", [](const Experiment& e) { return is_speed_kind(e.kind); }, speeds_of},
      {"mutants", [](const Experiment& e) { return e.kind == "mutation_matrix"; }, mutants_of},
      {"rungs", [](const Experiment& e) { return !e.measurements.empty(); }, rungs_of},
  }};
  return all;
}

}  // namespace bloomlab::analysis::pages
