// bloomlab-foreign MEMORY_MIB network|no-network FOLDER library PATH
// bloomlab-foreign MEMORY_MIB network|no-network FOLDER command PROGRAM ARGUMENTS...
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "foreign/runner/runner.hpp"

int main(int argc, char** argv) {
  using namespace bloomlab::foreign::runner;
  constexpr int first_of_job = 5;
  if (argc <= first_of_job) {
    std::fputs("bloomlab-foreign is started by bloomlab, to run a filter from outside\n", stderr);
    return 2;
  }
  Job job{.memory_mib = std::strtoull(argv[1], nullptr, 10),
          .network = std::string_view(argv[2]) == "network",
          .folder = argv[3]};
  if (std::string_view(argv[4]) == "library") {
    job.library = argv[first_of_job];
  } else {
    job.command.assign(argv + first_of_job, argv + argc);
  }
  return guard(job);
}
