// bloomlab process-run: a process that measures one trial and ends. `run` and `bench` start it;
// nobody else needs to.

#include "experiments/speed/process_run.hpp"

#include <iostream>

#include "cli/command.hpp"

namespace bloomlab::cli {

Action add_process_run(CLI::App& parser) {
  parser.group("");
  return [] { return experiments::answer_process_run(std::cin, std::cout) == 0 ? done : failed; };
}

}  // namespace bloomlab::cli
