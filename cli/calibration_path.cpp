#include "cli/calibration_path.hpp"

#include <cstdlib>

namespace bloomlab::cli {

std::filesystem::path calibration_path() {
  constexpr const char* place = "bloomlab/calibration.json";
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return std::filesystem::path(cache) / place;
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".cache" / place;
  }
  return {};
}

}  // namespace bloomlab::cli
