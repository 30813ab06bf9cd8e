// The configs and books of claims that come with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bloomlab::cli {

/// `name` in the folder configs/: of the current folder, else beside the installed program
/// (share/bloomlab/), else of the source tree that the program was built in. Nothing where it is in
/// none of them.
[[nodiscard]] std::optional<std::filesystem::path> project_file(const std::filesystem::path& name);

/// The config that a command line names: that file where it is there, else the one that comes with
/// the program, "smoke/fpr_vs_n.json"; .json may be left out, configs/ may stand before it, and the
/// topic may be left out where but one beside smoke/ has the file. Where none is there it is the
/// text as it stands. Throws record::InputError for one without .json, naming what is like it.
[[nodiscard]] std::string config_named(const std::string& text);

/// A config that comes with the program.
struct ProjectConfig {
  std::string name;  ///< as config_named takes it: "smoke/fpr_vs_n"
  std::string title;
};

/// All of them, by name. Throws record::InputError where there are none around the program.
[[nodiscard]] std::vector<ProjectConfig> project_configs();

}  // namespace bloomlab::cli
