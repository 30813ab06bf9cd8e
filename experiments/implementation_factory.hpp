// Where a filter's type ends: its implementation is made in a translation unit of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "experiments/implementation.hpp"

namespace bloomlab::experiments {

/// Makes implementations of one filter type. Defined in implementation_of.hpp, instantiated once a
/// filter.
template <class Filter>
struct ImplementationFactory {
  static std::unique_ptr<Implementation> make(const typename Filter::Parameters& parameters,
                                              const Cell& cell, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
