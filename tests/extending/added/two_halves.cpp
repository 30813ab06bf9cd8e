// Model of the filter that was added: two independent positions per key.

#include <cmath>
#include <cstdint>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

double two_halves_rate(std::uint64_t m, std::uint64_t n) {
  const double fill =
      -std::expm1(2.0 * static_cast<double>(n) * std::log1p(-1.0 / static_cast<double>(m)));
  return fill * fill;
}

}  // namespace

Model two_halves() {
  return {"two_halves",
          "rate of two probes with the mean fill ratio: (1 - (1 - 1/m)^(2n))^2",
          "probability",
          "Bloom 1970, with k = 2",
          {m_argument(), n_argument()},
          {},
          value_of<two_halves_rate>};
}

}  // namespace bloomlab::theory::catalogue
