// A process that is given a text and answers with one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bloomlab::experiments {

/// What to start.
struct ChildCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::vector<std::string> settings;  ///< "NAME=value" in place of what the environment says
};

/// How it went.
struct ChildOutcome {
  std::string output;  ///< all that it wrote to its standard output
  std::string ending;  ///< "with exit status 1", "by signal 9"
};

/// Starts the program, gives it `input` on its standard input, and waits for its end. Its standard
/// error is this process's. Throws std::runtime_error where it cannot be started.
[[nodiscard]] ChildOutcome run_child(const ChildCommand& command, const std::string& input);

}  // namespace bloomlab::experiments
