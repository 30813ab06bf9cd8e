// Models that choose parameters, and of the information-theoretic lower bound.

#include "core/theory/sizing.hpp"

#include "core/theory/bounds.hpp"
#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_optimal_k(std::uint64_t m, std::uint64_t n) {
  const OptimalProbes best = theory::optimal_k(m, n);
  return {best.k,
          {{"k_real", optimal_k_real(m, n)},
           {"k_real_classic", optimal_k_real_classic(m, n)},
           {"rate", best.rate}}};
}

Evaluation evaluate_optimal_sizing(std::uint64_t n, double p) {
  const FilterSize exact = smallest_filter_exact(n, p);
  const FilterSize approx = smallest_filter_approx(n, p);
  const FilterSize classic = smallest_filter_classic(n, p);
  const FilterSize popular = popular_calculator(n, p);
  return {exact.m,
          {{"k_exact", exact.k},
           {"exact_fpr_at_min", exact.rate},
           {"min_m_approx", approx.m},
           {"k_approx", approx.fewest_probes},
           {"min_m_classic", classic.m},
           {"k_classic", classic.fewest_probes},
           {"hurst_m", popular.m},
           {"hurst_k", popular.k},
           {"hurst_p_achieved", popular.rate},
           {"hurst_meets_p", popular.rate <= p},
           {"info_lower_bound_bits", lower_bound_bits(n, p)}}};
}

constexpr std::string_view bound_source =
    "Carter, Floyd, Gill, Markowsky, Wegman 1978, Exact and approximate membership testers";

ArgumentInfo rate_argument() {
  ArgumentInfo info = closed_argument("eps", "probability", "false-positive rate", 0.0, 1.0);
  info.min_excluded = true;
  return info;
}

}  // namespace

Model optimal_k() {
  return {"optimal_k",
          "the integer k with the lowest exact rate at m and n",
          "probes per key",
          "Bloom 1970 for real k, (m/n) ln 2; the integer by search over the exact rate of Bose et "
          "al. 2008, k up to 256",
          {m_argument(), n_argument(1)},
          {"k_real", "k_real_classic", "rate"},
          of_arguments<evaluate_optimal_k>};
}

Model optimal_sizing() {
  return {"optimal_sizing",
          "the smallest m for which some k has an exact rate of at most p",
          "bits",
          "search over the exact rate of Bose et al. 2008, k up to 256; k_exact has the lowest "
          "rate at that m, k_approx and k_classic are the smallest that meet p; hurst_*: the "
          "conventions "
          "of the popular calculator hur.st/bloomfilter",
          {n_argument(1), open_argument("p", "probability", "rate to meet")},
          {"k_exact", "exact_fpr_at_min", "min_m_approx", "k_approx", "min_m_classic", "k_classic",
           "hurst_m", "hurst_k", "hurst_p_achieved", "hurst_meets_p", "info_lower_bound_bits"},
          of_arguments<evaluate_optimal_sizing>};
}

Model lower_bound() {
  return {"lower_bound",
          "fewest bits of any filter in an unbounded universe, n log2(1/eps)",
          "bits",
          bound_source,
          {n_argument(), rate_argument()},
          {},
          value_of<lower_bound_bits>};
}

Model lower_bound_finite() {
  return {"lower_bound_finite",
          "fewest bits of any filter in a universe of u keys, log2 C(u,n) / C(n + eps (u-n), n)",
          "bits",
          bound_source,
          {integer_argument("u", "keys", "size of the universe", 1), n_argument(),
           closed_argument("eps", "probability", "false-positive rate", 0.0, 1.0)},
          {},
          value_of<lower_bound_finite_bits>};
}

}  // namespace bloomlab::theory::catalogue
