// Model of the filter that was added: two independent positions per key.

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_two_halves(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const auto m = static_cast<double>(arguments.integer(0));
  const auto n = static_cast<double>(arguments.integer(1));
  const double fill = -std::expm1(2.0 * n * std::log1p(-1.0 / m));
  return {fill * fill, {}};
}

}  // namespace

Model two_halves() {
  return {"two_halves",
          "rate of two probes with the mean fill ratio: (1 - (1 - 1/m)^(2n))^2",
          "probability",
          "Bloom 1970, with k = 2",
          {m_argument(), n_argument()},
          {},
          evaluate_two_halves};
}

}  // namespace bloomlab::theory::catalogue
