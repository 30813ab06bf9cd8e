// What can go wrong with a filter from outside. Every way is named, so that a result can say it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace bloomlab::foreign {

/// How a filter from outside failed.
enum class FailureKind {
  not_started,  ///< the program or the library could not be started, or refused to work
  refused,      ///< it answered with an error of its own, such as for a size that it cannot have
  unsupported,  ///< it has no such operation
  crashed,      ///< its process ended by a signal
  ended,        ///< its process ended by itself, or closed its output, before it answered
  timeout,      ///< no answer within Limits::seconds
  memory,       ///< took more than Limits::memory_mib
  garbage,      ///< answered what the protocol does not know
};

/// The word for it in results: "not_started", "refused", ...
[[nodiscard]] std::string_view word_of(FailureKind kind);

/// The kind of that word. Throws std::invalid_argument where there is none.
[[nodiscard]] FailureKind kind_of(std::string_view word);

/// A filter from outside failed; `what()` is one line that says how. It cannot be used further.
class Failure : public std::runtime_error {
 public:
  Failure(FailureKind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}

  [[nodiscard]] FailureKind kind() const noexcept { return kind_; }

 private:
  FailureKind kind_;
};

/// It is not the filter that failed but this system: a process or a pipe could not be had, or the
/// filter not be isolated.
class SystemFault : public Failure {
 public:
  explicit SystemFault(const std::string& what) : Failure(FailureKind::not_started, what) {}
};

}  // namespace bloomlab::foreign
