#include "cli/launches.hpp"

#include <string>

#include "cli/calibration_path.hpp"
#include "cli/command.hpp"

namespace bloomlab::cli {

void launch_this_program(experiments::RunOptions& options) {
  options.launch = experiments::process_launcher("/proc/self/exe", {std::string(launched_command)});
  options.calibration = calibration_path();
}

}  // namespace bloomlab::cli
