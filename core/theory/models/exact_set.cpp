// Model of the structures that keep the keys themselves.

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_exact_set(std::span<const ArgumentValue> /*values*/) { return {0.0, {}}; }

}  // namespace

Model exact_set() {
  return {"exact_set",       "rate of a structure that keeps the keys themselves: 0",
          "probability",     "by definition; also the rate of any filter without keys",
          {n_argument()},    {},
          evaluate_exact_set};
}

}  // namespace bloomlab::theory::catalogue
