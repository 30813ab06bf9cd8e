// The line that says where filters from outside run without isolation (foreign/child.hpp).
#pragma once

#include "experiments/config.hpp"

namespace bloomlab::cli {

/// Says on standard error, once a process, why this system isolates no filters, where it does not.
/// For what is about to start one.
void say_not_isolated();

/// The same where cells of the config start filters as processes of their own; a library that is
/// loaded into a process run is never isolated.
void say_not_isolated(const experiments::Config& config);

}  // namespace bloomlab::cli
