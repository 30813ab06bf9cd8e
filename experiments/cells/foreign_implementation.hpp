// A filter from outside behind the interface Implementation.
#pragma once

#include <cstdint>
#include <memory>

#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// Makes the own filter of the cell; or starts the filter from outside in a process of its own and
/// creates it for the cell's n, with the hash's seed of the trial. Throws foreign::Failure, as all
/// calls of the implementation do.
[[nodiscard]] std::unique_ptr<Implementation> make_foreign_implementation(const Cell& cell,
                                                                          std::uint64_t seed);

}  // namespace bloomlab::experiments
