// Models of the standard filter.

#include "core/theory/standard.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_exact(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const std::optional<double> distinct = exact_fpr_without_replacement(m, n, k);
  return {exact_fpr(m, n, k),
          {{"classic", classic_fpr(m, n, k)},
           {"approx", approx_fpr(m, n, k)},
           {"without_replacement", distinct ? ColumnValue(*distinct) : ColumnValue()},
           {"mean_set_bits", mean_set_bits(m, n, k)},
           {"var_set_bits", var_set_bits(m, n, k)},
           {"sd_conditional_fpr", sd_conditional_fpr(m, n, k)}}};
}

/// The column independent_filters: were each key looked up in a filter of its own.
Evaluation evaluate_conjunction(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                std::uint64_t keys) {
  const double one = exact_fpr(m, n, k);
  return {conjunction_fpr(m, n, k, keys),
          {{"one_key", one}, {"independent_filters", std::pow(one, static_cast<double>(keys))}}};
}

}  // namespace

Model standard_exact() {
  return {"standard_exact",
          "rate of a standard filter, E[(X/m)^k] over its set bits X",
          "probability",
          "Bose et al. 2008, On the false-positive rate of Bloom filters; exact for ideal hashing, "
          "positions drawn with replacement (column without_replacement: k different positions)",
          {m_argument(), n_argument(), k_argument()},
          {"classic", "approx", "without_replacement", "mean_set_bits", "var_set_bits",
           "sd_conditional_fpr"},
          of_arguments<evaluate_exact>,
          of_arguments<exact_fpr>};
}

Model standard_classic() {
  return {"standard_classic",
          "rate of a standard filter with its mean fill, (1 - (1 - 1/m)^(kn))^k",
          "probability",
          "Broder, Mitzenmacher 2004, Network applications of Bloom filters; below the exact rate",
          {m_argument(), n_argument(), k_argument()},
          {},
          value_of<classic_fpr>};
}

Model standard_approx() {
  return {"standard_approx",
          "rate of a large standard filter, (1 - e^(-kn/m))^k",
          "probability",
          "Bloom 1970, Space/time trade-offs in hash coding with allowable errors; below the exact "
          "rate",
          {m_argument(), n_argument(), k_argument()},
          {},
          value_of<approx_fpr>};
}

Model conjunction() {
  return {"conjunction",
          "rate of a query for several absent keys that must all be reported, E[(X/m)^(k keys)]",
          "probability",
          "Bose et al. 2008, as for one key of k times keys probes; ideal hashing",
          {m_argument(), n_argument(), k_argument(),
           integer_argument("keys", "keys", "absent keys of a query", 1, max_exact_probes)},
          {"one_key", "independent_filters"},
          of_arguments<evaluate_conjunction>};
}

}  // namespace bloomlab::theory::catalogue
