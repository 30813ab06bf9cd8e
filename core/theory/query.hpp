// A question to the theory, as plain data: the name of a closed form and its arguments. A filter
// names the form that predicts it without calling it, so the judge shares no code with the judged.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bloomlab::theory {

/// A value of an argument: an integer, a real, or a word (such as a stride's name).
using ArgumentValue = std::variant<std::uint64_t, double, std::string>;

/// A named argument of a model.
struct Argument {
  std::string name;
  ArgumentValue value;
};

/// The model's name (see `models()` in core/theory/models.hpp) and its arguments in any order.
struct Query {
  std::string model;
  std::vector<Argument> arguments;
};

}  // namespace bloomlab::theory
