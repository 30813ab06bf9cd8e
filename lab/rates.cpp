#include "lab/rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/models.hpp"
#include "lab/assignment.hpp"
#include "statistics/test.hpp"

namespace bloomlab::lab {
namespace {

constexpr std::uint64_t most_k = 32;

/// Whether the hits fit a filter of `bits` bits (its first layer's) with k hash functions.
bool fits_sizes(const Tried& tried, double part, std::uint64_t k) {
  Case one = *tried.one;
  one.bits_per_key *= part;
  const theory::Evaluation expected = theory::evaluate(one.prediction(k));
  const double rate = std::clamp(expected.number(), 0.0, 1.0);
  double own = expected.number("sd_conditional_fpr");
  if (!std::isfinite(own)) own = 0.0;
  const double spread = hash_spread * std::min(rate, 1.0 - rate);
  const double variance = std::min(own * own + spread * spread, rate * (1.0 - rate));
  const auto test = statistics::test_ensemble_rate(tried.trial->false_positives,
                                                   {.trials = 1, .queries = one.queries},
                                                   {.rate = rate, .variance = variance});
  return test.p_value >= least_p;
}

/// The part of its bits with which the exact rate is the measured one.
double fitting_part(const Tried& tried) {
  const double measured = rate_of(*tried.one, *tried.trial).measured;
  double low = 1.0 / 1024.0;
  double high = 16.0;
  for (int step = 0; step < 40; ++step) {
    const double middle = std::sqrt(low * high);
    Case one = *tried.one;
    one.bits_per_key *= middle;
    const double rate = theory::evaluate(one.prediction(assigned_probes)).number();
    (rate > measured ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

Rate rate_of(const Case& one, const Trial& trial) {
  constexpr double level = 0.95;
  return {.measured = static_cast<double>(trial.false_positives) / static_cast<double>(one.queries),
          .interval = statistics::clopper_pearson(trial.false_positives, one.queries, level),
          .theory = theory::evaluate(one.prediction(assigned_probes)).number()};
}

bool fits(const Case& one, const Trial& trial, std::uint64_t k) {
  return fits_sizes({&one, &trial}, 1.0, k);
}

std::optional<std::uint64_t> other_k(std::span<const Tried> tried) {
  std::optional<std::uint64_t> found;
  for (std::uint64_t k = 1; k <= most_k; ++k) {
    const auto all_fit =
        std::ranges::all_of(tried, [&](const Tried& one) { return fits(*one.one, *one.trial, k); });
    if (k == assigned_probes || !all_fit) continue;
    if (found) return std::nullopt;
    found = k;
  }
  return found;
}

std::optional<double> part_of_bits(std::span<const Tried> tried) {
  if (tried.size() < 2) return std::nullopt;
  const double part = fitting_part(tried.front());
  const auto all_fit = std::ranges::all_of(
      tried, [&](const Tried& one) { return fits_sizes(one, part, assigned_probes); });
  return all_fit ? std::optional(part) : std::nullopt;
}

}  // namespace bloomlab::lab
