// Models of filters of one array, of what they count, and of the hashes below them.

#include <cmath>

#include "core/theory/cardinality.hpp"
#include "core/theory/catalogue.hpp"
#include "core/theory/compressed.hpp"
#include "core/theory/counting.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/dynamic.hpp"
#include "core/theory/folding.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_partitioned(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return {partitioned_fpr(m, n, k),
          {{"standard_approx", approx_fpr(m, n, k)}, {"standard_exact", exact_fpr(m, n, k)}}};
}

Evaluation evaluate_dynamic(std::uint64_t m, std::uint64_t k, std::uint64_t c, std::uint64_t n) {
  return {dynamic_fpr(m, k, c, n), {{"approx", dynamic_approx_fpr(m, k, c, n)}}};
}

Evaluation evaluate_folding(std::uint64_t m, std::uint64_t m2, std::uint64_t n, std::uint64_t k) {
  const double rate = folded_fpr(m, m2, n, k);
  return {rate, {{"divides", m % m2 == 0}, {"uniform_m2_exact", exact_fpr(m2, n, k)}}};
}

Evaluation evaluate_compressed(double sent, std::uint64_t k) {
  const CompressedFilter filter = compressed_filter(sent, k);
  return {filter.rate,
          {{"m_over_n", filter.m_over_n},
           {"p_zero", filter.p_zero},
           {"uncompressed_best", std::exp2(-sent * std::log(2.0))},
           {"limit", std::exp2(-sent)}}};
}

Stride stride_of(const std::string& word) {
  return word == "any" ? Stride::any : word == "nz" ? Stride::nonzero : Stride::odd;
}

Evaluation evaluate_double_hashing_exact(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                         const std::string& stride) {
  const auto [rate, degenerate] = double_hashing_fpr(m, n, k, stride_of(stride));
  return {rate, {{"degenerate_part", degenerate}, {"standard_exact", exact_fpr(m, n, k)}}};
}

Evaluation evaluate_hash_width_floor(std::uint64_t hash_bits, std::uint64_t n, std::uint64_t m,
                                     std::uint64_t k) {
  const HashWidthRate result = hash_width_rate(hash_bits, n, m, k);
  return {result.rate,
          {{"collision", result.collision},
           {"distinct_fingerprints", result.distinct_fingerprints},
           {"no_floor_approx", approx_fpr(m, n, k)}}};
}

Evaluation evaluate_smaller_filter(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits,
                                   double fpr) {
  const SmallerFilter smaller = theory::smaller_filter(m, k, set_bits, fpr);
  return {static_cast<double>(smaller.bits), {{"keys", smaller.keys}, {"rate", smaller.rate}}};
}

Evaluation evaluate_cardinality(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits) {
  const std::optional<double> keys = estimated_keys(m, k, set_bits);
  if (!keys) {
    return {{}, {{"swamidass_baldi", {}}, {"sd", {}}, {"saturated", true}}};
  }
  const auto nearest = static_cast<std::uint64_t>(std::round(*keys));
  return {*keys,
          {{"swamidass_baldi", *swamidass_baldi_keys(m, k, set_bits)},
           {"sd", sd_estimated_keys(m, k, nearest)},
           {"saturated", false}}};
}

Evaluation evaluate_counting_overflow(std::uint64_t m, std::uint64_t hashes, std::uint64_t j) {
  return {counter_reaches(m, hashes, j),
          {{"union_bound", counter_reaches_union_bound(m, hashes, j)},
           {"fan_bound", counter_reaches_fan_bound(m, hashes, j)}}};
}

Evaluation evaluate_exact_set(std::uint64_t /*n*/) { return {0.0, {}}; }

}  // namespace

Model partitioned() {
  return {"partitioned",
          "rate of a filter of k slices of s_i bits, prod_i (1 - (1 - 1/s_i)^n)",
          "probability",
          "Mullin 1983, A second look at Bloom filters; exact for ideal hashing; the first m mod k "
          "slices have one bit more",
          {m_argument(), n_argument(), k_argument()},
          {"standard_approx", "standard_exact"},
          of_arguments<evaluate_partitioned>};
}

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
          of_arguments<evaluate_dynamic>};
}

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
      of_arguments<evaluate_folding>};
}

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
      of_arguments<evaluate_compressed>};
}

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
      of_arguments<evaluate_double_hashing_exact>};
}

Model hash_width_floor() {
  return {"hash_width_floor",
          "rate where all positions derive from one hash of H bits, c + (1 - c) (1 - e^(-k 2^H "
          "c/m))^k with c = 1 - (1 - 2^-H)^n",
          "probability",
          "derived for this project; approximate inner rate",
          {integer_argument("hash_bits", "bits", "width H of the hash", 1, 512), n_argument(),
           m_argument(), k_argument()},
          {"collision", "distinct_fingerprints", "no_floor_approx"},
          of_arguments<evaluate_hash_width_floor>};
}

Model cardinality() {
  return {"cardinality",
          "keys at which that many set bits are expected, ln(1 - X/m) / (k ln(1 - 1/m)); nothing "
          "where all bits are set",
          "keys",
          "inverse of the mean of set bits; swamidass_baldi: Swamidass, Baldi 2007, Mathematical "
          "correction for fingerprint similarity measures",
          {m_argument(), k_argument(),
           integer_argument("popcount", "bits", "set bits X, at most m", 0)},
          {"swamidass_baldi", "sd", "saturated"},
          of_arguments<evaluate_cardinality>};
}

Model smaller_filter() {
  return {"smaller_filter",
          "bits in which the keys of a filter would be built anew for a rate, "
          "-keys ln(fpr) / (ln 2)^2 with keys = -(m/k) ln(1 - X/m)",
          "bits",
          "the sizing rule of Bloom filters; keys: Swamidass, Baldi 2007, Mathematical correction "
          "for fingerprint similarity measures",
          {m_argument(), k_argument(),
           integer_argument("popcount", "bits", "set bits X, less than m", 0),
           open_argument("fpr", "probability", "rate of the filter that is built anew")},
          {"keys", "rate"},
          of_arguments<evaluate_smaller_filter>};
}

Model counting_overflow() {
  return {"counting_overflow",
          "probability that some counter reaches j, 1 - N!/m^N [x^N] (sum_{i<j} x^i/i!)^m",
          "probability",
          "the multinomial maximum, exact for ideal hashing; fan_bound: Fan, Cao, Almeida, Broder "
          "2000, Summary cache",
          {integer_argument("m", "counters", "counters of the filter", 1),
           integer_argument("N_hashes", "hashes", "counter increments, k times the keys", 0),
           integer_argument("j", "", "count to reach; a counter of w bits overflows at 2^w", 1,
                            static_cast<double>(most_count))},
          {"union_bound", "fan_bound"},
          of_arguments<evaluate_counting_overflow>};
}

Model exact_set() {
  return {"exact_set",
          "rate of a structure that keeps the keys themselves: 0",
          "probability",
          "by definition; also the rate of any filter without keys",
          {n_argument()},
          {},
          of_arguments<evaluate_exact_set>};
}

}  // namespace bloomlab::theory::catalogue
