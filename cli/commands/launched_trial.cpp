// bloomlab launched-trial: a process that measures one trial and ends. `run` and `bench` start it;
// nobody else needs to.

#include <iostream>

#include "cli/command.hpp"
#include "experiments/speed/launch.hpp"

namespace bloomlab::cli {

Action add_launched_trial(CLI::App& parser) {
  parser.group("");
  return [] { return experiments::answer_launch(std::cin, std::cout) == 0 ? done : failed; };
}

}  // namespace bloomlab::cli
