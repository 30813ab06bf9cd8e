// Model of the dynamic filter.

#include "core/theory/dynamic.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_dynamic(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t k = arguments.integer(1);
  const std::uint64_t c = arguments.integer(2);
  const std::uint64_t n = arguments.integer(3);
  return {dynamic_fpr(m, k, c, n), {{"approx", dynamic_approx_fpr(m, k, c, n)}}};
}

}  // namespace

Model dynamic() {
  return {"dynamic",
          "compound rate of equal filters of c keys each, 1 - (1 - f(c))^floor(n/c) (1 - f(n mod "
          "c)), f exact",
          "probability",
          "Guo, Wu, Chen, Luo 2006, Theory and network applications of dynamic Bloom filters; "
          "exact for ideal hashing, positions with replacement",
          {integer_argument("m", "bits", "size of each filter", 1), k_argument(),
           integer_argument("c", "keys", "keys that a filter takes", 1), n_argument()},
          {"approx"},
          evaluate_dynamic};
}

}  // namespace bloomlab::theory::catalogue
