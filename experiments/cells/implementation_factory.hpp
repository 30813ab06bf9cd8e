// Makes what a cell describes. Here a filter's type ends: its implementation is made in a
// translation unit of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/hash/hasher.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// Makes implementations of one filter type. Defined in implementation_of.hpp, instantiated once a
/// filter.
template <class Filter>
struct ImplementationFactory {
  static std::unique_ptr<Implementation> make(const typename Filter::Parameters& parameters,
                                              const Cell& cell, const Hasher& hasher,
                                              std::uint64_t seed);
};

/// The implementation that the cell describes. Throws AllocationError, and std::invalid_argument
/// for a cell that no config yields;
/// where its filter or hash is a program foreign::Failure, as all calls then do.
[[nodiscard]] std::unique_ptr<Implementation> make_implementation(const Cell& cell,
                                                                  std::uint64_t seed);

}  // namespace bloomlab::experiments
