// Model of the folded filter.

#include "core/theory/folding.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_folding(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t m2 = arguments.integer(1);
  const std::uint64_t n = arguments.integer(2);
  const std::uint64_t k = arguments.integer(3);
  const double rate = folded_fpr(m, m2, n, k);
  return {rate, {{"divides", m % m2 == 0}, {"uniform_m2_exact", exact_fpr(m2, n, k)}}};
}

}  // namespace

Model folding() {
  return {
      "folding",
      "rate of a filter of m bits folded to m2, positions modulo m2",
      "probability",
      "derived for this project; exact for ideal hashing where m2 divides m, else the mean fill "
      "to the power k (relative error about k^2/m)",
      {integer_argument("m", "bits", "size before", 1),
       integer_argument("m2", "bits", "size after, at most m", 1), n_argument(), k_argument()},
      {"divides", "uniform_m2_exact"},
      evaluate_folding};
}

}  // namespace bloomlab::theory::catalogue
