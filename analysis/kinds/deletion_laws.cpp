#include "analysis/kinds/deletion_laws.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/data/with_theory.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::size_t counter_values = 128;  // followed; beyond, a counter is as good as never 0

double real(std::uint64_t count) { return static_cast<double>(count); }

/// P(a counter has the value v) after `hashes` increments of m counters, v = 0, 1, ...
std::vector<double> counter_law(double hashes, double m) {
  std::vector<double> law(counter_values);
  double probability = std::exp(hashes * std::log1p(-1.0 / m));
  for (std::size_t value = 0; value < law.size(); ++value) {
    law[value] = probability;
    const double after = static_cast<double>(value) + 1.0;
    probability *= std::max(0.0, hashes - after + 1.0) / after / (m - 1.0);
  }
  return law;
}

/// Calls `use` with parts of at most one key: a number of them may be a mean, and no whole one.
template <class Use>
void for_each_portion(double deleted, Use use) {
  const double whole = std::floor(deleted);
  for (double done = 0.0; done < whole; ++done) use(1.0);
  if (deleted > whole) use(deleted - whole);
}

}  // namespace

double lost_by_clearing(const FilterAfterDeletions& filter) {
  const double m = real(filter.m);
  const double cleared = real(filter.k) * real(filter.deletions);
  std::vector<double> distinct = {1.0};  // P(d of the probes' positions are distinct)
  for (std::uint64_t probe = 0; probe < filter.k; ++probe) {
    std::vector<double> next(distinct.size() + 1);
    for (std::size_t d = 0; d < distinct.size(); ++d) {
      const double known = static_cast<double>(d) / m;
      next[d] += distinct[d] * known;
      next[d + 1] += distinct[d] * std::max(0.0, 1.0 - known);
    }
    distinct = std::move(next);
  }
  double kept = 0.0;
  for (std::size_t d = 0; d < distinct.size() && static_cast<double>(d) < m; ++d) {
    kept += distinct[d] * std::exp(cleared * std::log1p(-static_cast<double>(d) / m));
  }
  return (real(filter.n) - real(filter.deletions)) * (1.0 - kept);
}

double lost_by_clearing_absent_keys(const FilterAfterDeletions& filter, double deleted) {
  const double m = real(filter.m);
  const double k = real(filter.k);
  double set = -m * std::expm1(k * real(filter.n) * std::log1p(-1.0 / m));
  double position_kept = 1.0;  // P(a bit that was set is set still)
  for_each_portion(deleted, [&](double part) {
    const double kept = std::exp(part * k * std::log1p(-1.0 / std::max(2.0, set)));
    position_kept *= kept;
    set *= kept;
  });
  return real(filter.n) * (1.0 - std::pow(position_kept, k));
}

double lost_by_wrong_deletions(const FilterAfterDeletions& filter, double deleted) {
  const double m = real(filter.m);
  const double k = real(filter.k);
  const double hashes = k * real(filter.n);
  std::vector<double> any = counter_law(hashes, m);
  // A member's own counter has one increment of its own, and those of all other probes.
  std::vector<double> own = counter_law(hashes - 1.0, m);
  own.insert(own.begin(), 0.0);
  const auto lower = [](std::vector<double>& law, double chance) {
    for (std::size_t value = 1; value < law.size(); ++value) {
      const double moved = law[value] * chance;
      law[value] -= moved;
      law[value - 1] += moved;
    }
  };
  for_each_portion(deleted, [&](double part) {
    const double chance = std::min(1.0, part * k / (m * std::max(1.0 / m, 1.0 - any[0])));
    lower(any, chance);
    lower(own, chance);
  });
  return real(filter.n) * (1.0 - std::pow(1.0 - own[0], k));
}

statistics::RateLaw rate_after_deleting(const FilterAfterDeletions& filter, std::uint64_t largest) {
  const std::uint64_t left = filter.n - filter.deletions;
  const auto exact = evaluated({"standard_exact", {{"m", filter.m}, {"n", left}, {"k", filter.k}}});
  const double m = real(filter.m);
  const double k = real(filter.k);
  const double untouched = std::exp(k * real(left) * std::log1p(-1.0 / m));
  const std::vector<double> deleted = counter_law(k * real(filter.deletions), m);
  double stuck = 0.0;
  for (std::size_t value = deleted.size(); value-- > largest;) stuck += deleted[value];
  const double more = left == 0 ? 1.0 : 1.0 + untouched * stuck / (1.0 - untouched);
  const double factor = std::pow(more, k);
  const double deviation = exact.number("sd_conditional_fpr") * factor;
  return {std::min(1.0, exact.number() * factor), deviation * deviation};
}

}  // namespace bloomlab::analysis
