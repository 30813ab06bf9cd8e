// The one way in which bad input is reported.
#pragma once

#include <stdexcept>
#include <string>

namespace bloomlab::record {

/// Bad input: a config, a result folder, a command line. `what()` is one line that says where, what
/// was found, what is allowed and what to do; the command prints it and exits with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A program that a config takes, such as a store's, is not on this machine.
class MissingProgram : public InputError {
 public:
  using InputError::InputError;
};

/// A run that failed, or a promise that did not hold; the command prints it and exits with 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bloomlab::record
