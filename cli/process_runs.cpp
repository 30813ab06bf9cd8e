// bloomlab process-run: a process that measures one trial and ends. `run` and `bench` start it;
// nobody else needs to.
#include "cli/process_runs.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

#include "cli/command.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/engine/process_run.hpp"

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

void use_process_runs(experiments::RunOptions& options) {
  options.process_run =
      experiments::runner_of_program("/proc/self/exe", {std::string(process_run_command)});
  options.calibration = calibration_path();
}

Action add_process_run(CLI::App& /*parser*/) {
  return [] {
    experiments::end_with_parent();
    return experiments::answer_process_run(std::cin, std::cout) == 0 ? done : failed;
  };
}

}  // namespace bloomlab::cli
