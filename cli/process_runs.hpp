// How the commands measure trials that take a process each.
#pragma once

#include "experiments/run.hpp"

namespace bloomlab::cli {

/// Lets trials that are to be process runs run in processes of this very program, tuned as this
/// machine was calibrated where it was.
void use_process_runs(experiments::RunOptions& options);

}  // namespace bloomlab::cli
