#include "planner/judgement.hpp"

#include <cmath>

#include "core/theory/hash_width.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

/// Loss against the best k that is worth a word.
constexpr double notable_loss = 1.05;

/// Share of the rate that equal hashes may make up.
constexpr double notable_floor = 0.01;

void warn_of_probes(const Configured& configured, Judgement& result) {
  if (result.standard_rate > notable_loss * result.best_rate) {
    result.warnings.push_back("k = " + std::to_string(configured.k) + " has " +
                              significant(result.standard_rate / result.best_rate, 3) +
                              " times the rate of k = " + std::to_string(result.best_k) +
                              ", the best for this m and n");
  }
  if (result.fill > 0.9) {
    result.warnings.push_back(
        percent(result.fill, 2) +
        " of the bits are set: the filter holds more keys than it can distinguish");
  }
}

void warn_of_layout(const Configured& configured, Judgement& result) {
  if (configured.rate > notable_loss * result.standard_rate) {
    result.warnings.push_back("the layout " + configured.filter + " has " +
                              significant(configured.rate / result.standard_rate, 3) +
                              " times the rate of a standard filter of this m and k");
  }
}

void add_hash(const Configured& configured, Judgement& result) {
  if (!configured.hash_bits) return;
  const auto floor =
      theory::hash_width_rate(*configured.hash_bits, configured.n, configured.m, configured.k);
  result.hash_floor = floor.collision;
  result.rate = floor.collision + (1.0 - floor.collision) * configured.rate;
  if (floor.collision > notable_floor * configured.rate) {
    result.warnings.push_back("a hash of " + std::to_string(*configured.hash_bits) +
                              " bits is too short for so many keys: equal hashes alone give a "
                              "rate of " +
                              significant(floor.collision, 3));
  }
}

void add_verdict(const Configured& configured, Judgement& result) {
  if (!configured.requested_rate) return;
  result.keeps = result.rate <= *configured.requested_rate;
  if (!*result.keeps) {
    result.warnings.push_back("misses the requested rate " +
                              parameter_text(*configured.requested_rate) + " by " +
                              signed_percent(result.rate / *configured.requested_rate - 1.0, 2));
  }
}

}  // namespace

Judgement judge(const Configured& configured) {
  Judgement result;
  result.rate = configured.rate;
  result.standard_rate = theory::exact_fpr(configured.m, configured.n, configured.k);
  const auto best = theory::optimal_k(configured.m, configured.n);
  result.best_k = best.k;
  result.best_rate = best.rate;
  result.fill = theory::mean_set_bits(configured.m, configured.n, configured.k) /
                static_cast<double>(configured.m);
  warn_of_probes(configured, result);
  warn_of_layout(configured, result);
  add_hash(configured, result);
  add_verdict(configured, result);
  result.loss = best.rate > 0.0 ? result.rate / best.rate : 1.0;
  if (result.rate > 0.0 && result.rate < 1.0) {
    result.smallest_m = theory::smallest_filter_exact(configured.n, result.rate).m;
  }
  return result;
}

}  // namespace bloomlab::planner
