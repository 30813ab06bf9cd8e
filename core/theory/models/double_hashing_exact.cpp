// Model of double hashing in small filters.

#include "core/theory/catalogue.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Stride stride_of(const std::string& word) {
  return word == "any" ? Stride::any : word == "nz" ? Stride::nonzero : Stride::odd;
}

Evaluation evaluate_double_hashing_exact(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t n = arguments.integer(1);
  const std::uint64_t k = arguments.integer(2);
  const auto [rate, degenerate] = double_hashing_fpr(m, n, k, stride_of(arguments.word(3)));
  return {rate, {{"degenerate_part", degenerate}, {"standard_exact", exact_fpr(m, n, k)}}};
}

}  // namespace

Model double_hashing_exact() {
  return {
      "double_hashing_exact",
      "rate of a standard filter whose positions are (a + i b) mod m, i = 0..k-1",
      "probability",
      "the scheme: Dillinger, Manolios 2004, Bloom filters in probabilistic verification; exact "
      "for uniform a and b, by inclusion and exclusion over the query's positions",
      {integer_argument("m", "bits", "size of the filter", 1,
                        static_cast<double>(most_double_hashing_bits)),
       n_argument(), k_argument(static_cast<double>(most_double_hashing_probes)),
       word_argument("stride", "set of b: all, non-zero, or odd (m a power of two)",
                     {"any", "nz", "odd"})},
      {"degenerate_part", "standard_exact"},
      evaluate_double_hashing_exact};
}

}  // namespace bloomlab::theory::catalogue
