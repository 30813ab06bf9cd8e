// The one exception of the theory.
#pragma once

#include <stdexcept>

namespace bloomlab::theory {

/// Thrown for an unknown model, an unknown, missing or duplicate argument, or one out of domain.
/// `what()` is one line: what was found, what is allowed, what to do.
class DomainError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace bloomlab::theory
