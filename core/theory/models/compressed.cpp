// Model of the compressed filter.

#include "core/theory/compressed.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_compressed(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const double sent = arguments.real(0);
  const CompressedFilter filter = compressed_filter(sent, arguments.integer(1));
  return {filter.rate,
          {{"m_over_n", filter.m_over_n},
           {"p_zero", filter.p_zero},
           {"uncompressed_best", std::exp2(-sent * std::log(2.0))},
           {"limit", std::exp2(-sent)}}};
}

}  // namespace

Model compressed() {
  ArgumentInfo sent = closed_argument("z_over_n", "bits per key", "bits sent per key", 0.0, 512.0);
  sent.min_excluded = true;
  return {
      "compressed",
      "rate of a filter that an ideal coder sends in z/n bits per key, (1 - e^(-kn/m))^k with "
      "(m/n) H2(e^(-kn/m)) = z/n",
      "probability",
      "Mitzenmacher 2002, Compressed Bloom filters; for large n; uncompressed_best is the real-k "
      "optimum 0.6185^(z/n), limit 0.5^(z/n) that of m/n without bound",
      {sent, k_argument()},
      {"m_over_n", "p_zero", "uncompressed_best", "limit"},
      evaluate_compressed};
}

}  // namespace bloomlab::theory::catalogue
