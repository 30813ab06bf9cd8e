// Models of the information-theoretic lower bound.

#include "core/theory/bounds.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

constexpr std::string_view source =
    "Carter, Floyd, Gill, Markowsky, Wegman 1978, Exact and approximate membership testers";

Evaluation evaluate_lower_bound(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  return {lower_bound_bits(arguments.integer(0), arguments.real(1)), {}};
}

Evaluation evaluate_lower_bound_finite(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  return {lower_bound_finite_bits(arguments.integer(0), arguments.integer(1), arguments.real(2)),
          {}};
}

ArgumentInfo rate_argument() {
  ArgumentInfo info = closed_argument("eps", "probability", "false-positive rate", 0.0, 1.0);
  info.min_excluded = true;
  return info;
}

}  // namespace

Model lower_bound() {
  return {"lower_bound",
          "fewest bits of any filter in an unbounded universe, n log2(1/eps)",
          "bits",
          source,
          {n_argument(), rate_argument()},
          {},
          evaluate_lower_bound};
}

Model lower_bound_finite() {
  return {"lower_bound_finite",
          "fewest bits of any filter in a universe of u keys, log2 C(u,n) / C(n + eps (u-n), n)",
          "bits",
          source,
          {integer_argument("u", "keys", "size of the universe", 1), n_argument(),
           closed_argument("eps", "probability", "false-positive rate", 0.0, 1.0)},
          {},
          evaluate_lower_bound_finite};
}

}  // namespace bloomlab::theory::catalogue
