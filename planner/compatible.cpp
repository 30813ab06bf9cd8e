#include "planner/compatible.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/capacity.hpp"
#include "record/input_error.hpp"

namespace bloomlab::planner {
namespace {

/// ln(1 / 2^(ln 2)), as the calculators compute it.
double log_of_ideal() { return std::log(1.0 / std::exp2(std::numbers::ln2)); }

/// -k / ln(1 - p^(1/k)): bits per key at which k probes have the approximate rate p.
double bits_per_key_at(double p, std::uint64_t k) {
  const auto probes = static_cast<double>(k);
  return -probes / std::log(1.0 - std::exp(std::log(p) / probes));
}

std::uint64_t rounded_up(double value) {
  // Where the formula's logarithm rounds to that of one, its size is minus infinity.
  if (!std::isfinite(value) || value >= static_cast<double>(largest_filter)) {
    throw record::InputError(
        "plan: the calculators' formulas lead beyond 2^61; give smaller quantities");
  }
  return static_cast<std::uint64_t>(std::max(std::ceil(value), 1.0));
}

std::uint64_t rounded_probes(std::uint64_t m, std::uint64_t n) {
  const double k = std::round(theory::optimal_k_real(m, n));
  return static_cast<std::uint64_t>(
      std::clamp(k, 1.0, static_cast<double>(theory::max_exact_probes)));
}

}  // namespace

void solve_compatible(const Request& request, std::optional<std::uint64_t> size, Plan& plan) {
  if (request.n) plan.n = *request.n;
  if (size) plan.m = *size;
  if (request.n && !size) {
    plan.m = request.k
                 ? rounded_up(static_cast<double>(plan.n) * bits_per_key_at(plan.p, *request.k))
                 : theory::popular_calculator(plan.n, plan.p).m;
  }
  if (!request.n) {
    const auto bits = static_cast<double>(plan.m);
    plan.n = rounded_up(request.k ? bits / bits_per_key_at(plan.p, *request.k)
                                  : bits * log_of_ideal() / std::log(plan.p));
  }
  plan.k = request.k ? *request.k : rounded_probes(plan.m, plan.n);
  plan.rate = theory::exact_fpr(plan.m, plan.n, plan.k);
  if (!request.p) plan.p = theory::approx_fpr(plan.m, plan.n, plan.k);
}

}  // namespace bloomlab::planner
