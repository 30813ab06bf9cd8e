#include "cli/process_runs.hpp"

#include <string>

#include "cli/calibration_path.hpp"
#include "cli/command.hpp"

namespace bloomlab::cli {

void use_process_runs(experiments::RunOptions& options) {
  options.process_run =
      experiments::runner_of_program("/proc/self/exe", {std::string(process_run_command)});
  options.calibration = calibration_path();
}

}  // namespace bloomlab::cli
