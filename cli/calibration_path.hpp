// Where the calibration of this machine is kept, for those that write it and those that read it.
#pragma once

#include <filesystem>

namespace bloomlab::cli {

/// $XDG_CACHE_HOME/bloomlab/calibration.json, else ~/.cache/bloomlab/calibration.json; empty where
/// neither XDG_CACHE_HOME nor HOME is set.
[[nodiscard]] std::filesystem::path calibration_path();

}  // namespace bloomlab::cli
