// Runs a program on a text and returns what it printed.
#pragma once

#include <string>

namespace bloomlab::analysis::plot {

/// What a program left behind.
struct Finished {
  bool found = false;  ///< false: no such program, nothing was run
  int status = 0;      ///< exit status; 128 + signal where a signal ended it
  std::string output;
  std::string errors;
};

/// Runs `program` (looked up in PATH) with one argument, `input` on its standard input, no other
/// environment than PATH and the C locale. Throws std::system_error where the system refuses.
[[nodiscard]] Finished run_program(const std::string& program, const std::string& argument,
                                   const std::string& input);

}  // namespace bloomlab::analysis::plot
