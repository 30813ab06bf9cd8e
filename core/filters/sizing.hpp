// The rate that a filter's own closed form foretells, for those who choose a filter's parameters by
// it. Results never hold it: what is measured is joined with theory by the analysis.
#pragma once

#include <cstdint>

#include "core/filters/concepts.hpp"
#include "core/theory/models.hpp"

namespace bloomlab {

/// The false-positive rate of the filter of these parameters after n distinct keys, by the closed
/// form that it names. Throws theory::DomainError where the form refuses them.
template <Described Filter>
[[nodiscard]] double foretold_rate(const typename Filter::Parameters& parameters, std::uint64_t n) {
  return theory::evaluate(Filter::prediction(parameters, n)).number();
}

}  // namespace bloomlab
