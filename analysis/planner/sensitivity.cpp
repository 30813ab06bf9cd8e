#include "analysis/planner/sensitivity.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "core/theory/domain_error.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::analysis::planner {
namespace {

constexpr double scalable_tightening = 0.85;
constexpr std::uint64_t scalable_growth = 2;

Shift shifted(const Plan& plan, std::string change, std::uint64_t n, std::uint64_t m,
              std::uint64_t k) {
  Shift shift{std::move(change), n, m, k, theory::exact_fpr(m, n, k), 1.0};
  if (plan.rate > 0.0) shift.ratio = shift.rate / plan.rate;
  return shift;
}

/// n times a factor, rounded up; capped where 64 bits end.
std::uint64_t more_keys(std::uint64_t n, double factor) {
  const double more = std::ceil(static_cast<double>(n) * factor);
  return more < 0x1p63 ? static_cast<std::uint64_t>(more) : std::uint64_t{1} << 63;
}

/// Bits per key of a scalable filter's first layer over those of a standard filter, both for n.
std::optional<double> scalable_cost(const Plan& plan) {
  try {
    const auto layers =
        theory::scalable_layers(plan.p, scalable_tightening, scalable_growth, plan.n, plan.n);
    const auto least = theory::smallest_filter_exact(plan.n, plan.p);
    return static_cast<double>(layers.front().m) / static_cast<double>(least.m);
  } catch (const theory::DomainError&) {
    return std::nullopt;
  }
}

double elasticity_of(const Plan& plan) {
  const auto probes = static_cast<double>(plan.k);
  const double load = probes * static_cast<double>(plan.n) / static_cast<double>(plan.m);
  return probes * load / std::expm1(load);
}

}  // namespace

Sensitivity sensitivity_of(const Plan& plan) {
  Sensitivity result;
  auto& shifts = result.shifts;
  for (const auto& [name, factor] : {std::pair{"n + 1 %", 1.01}, std::pair{"n + 10 %", 1.1},
                                     std::pair{"n x 2", 2.0}, std::pair{"n x 10", 10.0}}) {
    shifts.push_back(shifted(plan, name, more_keys(plan.n, factor), plan.m, plan.k));
  }
  if (plan.k > 1) shifts.push_back(shifted(plan, "k - 1", plan.n, plan.m, plan.k - 1));
  if (plan.k < theory::max_exact_probes) {
    shifts.push_back(shifted(plan, "k + 1", plan.n, plan.m, plan.k + 1));
  }
  const auto resized = [&](const char* change, std::uint64_t m) {
    shifts.push_back(shifted(plan, change, plan.n, m, theory::optimal_k(m, plan.n).k));
  };
  if (!std::has_single_bit(plan.m)) {
    resized("m down to a power of two, best k", std::bit_floor(plan.m));
    resized("m up to a power of two, best k", std::bit_ceil(plan.m));
  }
  result.elasticity = elasticity_of(plan);
  result.most_keys = capacity(plan.m, plan.p, plan.k);
  if (2.0 * plan.p < 1.0) result.most_keys_twice = capacity(plan.m, 2.0 * plan.p, plan.k);
  if (10.0 * plan.p < 1.0) result.most_keys_tenfold = capacity(plan.m, 10.0 * plan.p, plan.k);
  result.scalable_pays_beyond = scalable_cost(plan);
  return result;
}

}  // namespace bloomlab::analysis::planner
