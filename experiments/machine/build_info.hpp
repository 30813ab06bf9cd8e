// What this program was built from, and how.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bloomlab::experiments {

/// The working tree at the time of the build; results/ and REPORT.md do not count.
struct GitState {
  std::string commit;   ///< full hash, or "unknown" where there is no repository
  bool dirty = false;   ///< whether the tree differed from the commit
  std::string changes;  ///< digest of the difference; empty if not dirty
};

/// The flags that change the code of core, experiments and foreign, as their units are compiled;
/// where they differ, each set with its targets. Empty where the generator keeps no list.
[[nodiscard]] const char* flags_as_compiled();

/// Compiler and libraries, as configured.
struct BuildSettings {
  std::string version;     ///< of the project
  std::string compiler;    ///< name and version
  std::string build_type;  ///< "Release", ...
  std::string flags;
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version
};

[[nodiscard]] const GitState& git_state();
[[nodiscard]] const BuildSettings& build_settings();

/// Name of the build: the commit, with "+" and the digest of its changes if it was dirty; the
/// version where the commit is unknown; then compiler, build type and flags as a digest. Results of
/// builds of different names are never mixed.
[[nodiscard]] const std::string& build_id();

}  // namespace bloomlab::experiments
