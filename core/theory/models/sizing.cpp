// Models that choose parameters.

#include "core/theory/sizing.hpp"

#include "core/theory/bounds.hpp"
#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_optimal_k(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t m = arguments.integer(0);
  const std::uint64_t n = arguments.integer(1);
  const OptimalProbes best = theory::optimal_k(m, n);
  return {best.k,
          {{"k_real", optimal_k_real(m, n)},
           {"k_real_classic", optimal_k_real_classic(m, n)},
           {"rate", best.rate}}};
}

Evaluation evaluate_optimal_sizing(std::span<const ArgumentValue> values) {
  const ArgumentReader arguments(values);
  const std::uint64_t n = arguments.integer(0);
  const double p = arguments.real(1);
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

}  // namespace

Model optimal_k() {
  return {"optimal_k",
          "the integer k with the lowest exact rate at m and n",
          "probes per key",
          "Bloom 1970 for real k, (m/n) ln 2; the integer by search over the exact rate of Bose et "
          "al. 2008, k up to 256",
          {m_argument(), n_argument(1)},
          {"k_real", "k_real_classic", "rate"},
          evaluate_optimal_k};
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
          evaluate_optimal_sizing};
}

}  // namespace bloomlab::theory::catalogue
