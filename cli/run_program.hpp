// The whole command line, for the one binary and for programs that bring filters and hash functions
// of their own.
#pragma once

#include <span>

#include "core/hash/hash_operations.hpp"
#include "experiments/own_filter.hpp"

namespace bloomlab::cli {

/// Runs the command that the arguments name, with these filters and hash functions beside those of
/// the catalogue.
/// @return the exit status: 0 done, 1 the run failed or a promise did not hold, 2 bad input
[[gnu::visibility("default")]] int run_program(int argc, char** argv,
                                               std::span<const OwnFilterType> filters,
                                               std::span<const HashOperations> hashes = {});

}  // namespace bloomlab::cli
