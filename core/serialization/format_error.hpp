// What is wrong with the bytes of a saved filter.
#pragma once

#include <stdexcept>

namespace bloomlab {

/// Thrown when bytes are not a filter: truncated, altered, of another filter or release, or made to
/// do harm. what() says in one line where, what was found, and what was expected.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown for a filter of a version of the format that this release does not read.
class OtherVersion : public FormatError {
 public:
  using FormatError::FormatError;
};

}  // namespace bloomlab
