// How the commands measure trials that take a process each, and where the calibration of this
// machine is kept, for those that write it and those that read it.
#pragma once

#include <filesystem>

#include "experiments/engine/run.hpp"

namespace bloomlab::cli {

/// $XDG_CACHE_HOME/bloomlab/calibration.json, else ~/.cache/bloomlab/calibration.json; empty where
/// neither XDG_CACHE_HOME nor HOME is set.
[[nodiscard]] std::filesystem::path calibration_path();

/// Lets trials that are to be process runs run in processes of this very program, tuned as this
/// machine was calibrated where it was.
void use_process_runs(experiments::RunOptions& options);

}  // namespace bloomlab::cli
