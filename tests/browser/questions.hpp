// Questions for the planner, as texts that both the command line and the page take.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bloomlab::tests {

/// Names of fields, which are also names of options, with what is written in them.
struct Question {
  std::vector<std::pair<std::string, std::string>> fields;
  bool compatible = false;

  /// "--items 10M --fpr '1 in 1000'"
  [[nodiscard]] std::string options() const;
  /// "#items=10M&fpr=1%20in%201000"
  [[nodiscard]] std::string hash() const;
};

/// `count` questions, always the same: every sufficient subset of n, p, bits or memory, and k in
/// turn, guaranteed and compatible in turn, n from 1 to 10^10, in all notations.
[[nodiscard]] std::vector<Question> random_questions(std::size_t count);

}  // namespace bloomlab::tests
