// Model of the partitioned filter.

#include "core/theory/partitioned.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_partitioned(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t n = arguments.integer(1);
  const std::uint64_t k = arguments.integer(2);
  return {partitioned_fpr(m, n, k),
          {{"standard_approx", approx_fpr(m, n, k)}, {"standard_exact", exact_fpr(m, n, k)}}};
}

}  // namespace

Model partitioned() {
  return {"partitioned",
          "rate of a filter of k slices of s_i bits, prod_i (1 - (1 - 1/s_i)^n)",
          "probability",
          "Mullin 1983, A second look at Bloom filters; exact for ideal hashing; the first m mod k "
          "slices have one bit more",
          {m_argument(), n_argument(), k_argument()},
          {"standard_approx", "standard_exact"},
          evaluate_partitioned};
}

}  // namespace bloomlab::theory::catalogue
