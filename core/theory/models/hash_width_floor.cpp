// Model of the floor that a short hash puts under the rate.

#include "core/theory/catalogue.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_hash_width_floor(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t n = arguments.integer(1);
  const std::uint64_t m = arguments.integer(2);
  const std::uint64_t k = arguments.integer(3);
  const HashWidthRate result = hash_width_rate(arguments.integer(0), n, m, k);
  return {result.rate,
          {{"collision", result.collision},
           {"distinct_fingerprints", result.distinct_fingerprints},
           {"no_floor_approx", approx_fpr(m, n, k)}}};
}

}  // namespace

Model hash_width_floor() {
  return {"hash_width_floor",
          "rate where all positions derive from one hash of H bits, c + (1 - c) (1 - e^(-k 2^H "
          "c/m))^k with c = 1 - (1 - 2^-H)^n",
          "probability",
          "derived for this project; approximate inner rate",
          {integer_argument("hash_bits", "bits", "width H of the hash", 1, 256), n_argument(),
           m_argument(), k_argument()},
          {"collision", "distinct_fingerprints", "no_floor_approx"},
          evaluate_hash_width_floor};
}

}  // namespace bloomlab::theory::catalogue
