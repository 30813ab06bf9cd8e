// Kinds that simulate an application of one filter, in whose place a test can put another set.
#pragma once

#include "experiments/applications/membership.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

/// Such a kind has `measure_with(make, p, at, seed)`: a trial with the sets that `make` makes.
template <class Kind>
struct SimulatedApplication : OwnGridKind<Kind> {
  /// A trial with standard filters.
  template <class K = Kind>
  static std::vector<Measurement> measure(const typename K::Parameters& p,
                                          const typename K::Point::Parameters& at,
                                          std::uint64_t seed) {
    return {K::measure_with(standard_filter, p, at, seed)};
  }
};

}  // namespace bloomlab::experiments
