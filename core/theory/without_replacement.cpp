// The rate of filters whose keys take k different positions.
//
// A key touches the k bits of the query with probability 1 - q, q = C(m-k,k)/C(m,k). Among the
// keys that do, the number of covered query bits is a Markov chain with positive steps; how many
// there are is binomial. So the rate is a sum of positive terms, and nothing cancels.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/theory/detail/binomial_mixture.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

/// log of the probability that a key of k different positions misses the given bits number `first`
/// to `last` - 1, given that it misses those before.
double log_miss(double m, int k, int first, int last) {
  double sum = 0.0;
  for (int i = first; i < last; ++i) {
    if (m - i <= k) return -std::numeric_limits<double>::infinity();
    sum += std::log1p(-k / (m - i));
  }
  return sum;
}

/// log of the probability that a key of k different positions misses `bits` given ones.
double log_miss(double m, int k, int bits) { return log_miss(m, k, 0, bits); }

/// The chain of covered query bits under keys that touch at least one of them.
class CoveringChain {
 public:
  /// @param touching expected number of keys that touch the query
  CoveringChain(double m, int k, double touching) : k_(k), steps_(static_cast<std::size_t>(k)) {
    const double log_untouched = log_miss(m, k, k);
    const double touched = -std::expm1(log_untouched);
    for (int covered = 0; covered < k; ++covered) {
      std::vector<double>& step = steps_[static_cast<std::size_t>(covered)];
      step = newly_covered(m, covered);
      // Stays: the key touches the query, but only bits that are covered already.
      step[0] = stays(m, covered);
      for (std::size_t i = 1; i < step.size(); ++i) step[i] /= touched;
      step[0] /= touched;
      if (touching >= k) drop_rare_steps(step, touching);
    }
    state_.assign(static_cast<std::size_t>(k) + 1, 0.0);
    state_[0] = 1.0;
  }

  /// P(all query bits are covered) so far.
  [[nodiscard]] double all_covered() const { return state_.back(); }

  /// Keys so far.
  [[nodiscard]] std::uint64_t keys() const { return keys_; }

  /// One more key that touches the query.
  void advance() {
    for (int covered = k_ - 1; covered >= 0; --covered) {
      const auto from = static_cast<std::size_t>(covered);
      const double here = state_[from];
      if (here == 0.0) continue;
      const std::vector<double>& step = steps_[from];
      for (std::size_t more = step.size(); more-- > 1;) state_[from + more] += here * step[more];
      state_[from] = here * step[0];
    }
    ++keys_;
  }

 private:
  /// P(i more bits get covered by a key), i = 0..k-covered: hypergeometric, by ratios outwards from
  /// its mode.
  [[nodiscard]] std::vector<double> newly_covered(double m, int covered) const {
    const double open = k_ - covered;
    const double least = std::max(0.0, open + k_ - m);
    const double most = std::min(open, static_cast<double>(k_));
    std::vector<double> p(static_cast<std::size_t>(open) + 1, 0.0);
    const double mode = std::clamp(std::floor((open + 1.0) * (k_ + 1.0) / (m + 2.0)), least, most);
    const auto ratio = [&](double i) {  // p(i + 1) / p(i)
      return (open - i) * (k_ - i) / ((i + 1.0) * (m - open - k_ + i + 1.0));
    };
    const auto at = [&](double i) -> double& { return p[static_cast<std::size_t>(i)]; };
    at(mode) = 1.0;
    double sum = 1.0;
    for (double i = mode; i < most; ++i) sum += at(i + 1.0) = at(i) * ratio(i);
    for (double i = mode; i > least; --i) sum += at(i - 1.0) = at(i) / ratio(i - 1.0);
    for (double& value : p) value /= sum;
    while (p.size() > 1 && p.back() == 0.0) p.pop_back();
    return p;
  }

  /// P(a key touches the query, and touches covered bits only).
  [[nodiscard]] double stays(double m, int covered) const {
    if (covered == 0) return 0.0;
    const double misses_open = std::exp(log_miss(m, k_, k_ - covered));
    return -misses_open * std::expm1(log_miss(m, k_, k_ - covered, k_));
  }

  /// With a key or more for each query bit, a step over s bits raises the probability of the end
  /// by less than (1 - 1/e)^-s < 1.6^s: where that times its own probability is nothing, so is it.
  static void drop_rare_steps(std::vector<double>& step, double touching) {
    double gain = std::pow(1.6, static_cast<double>(step.size() - 1));
    while (step.size() > 1 && step.back() * gain * touching < 1e-22) {
      step.pop_back();
      gain /= 1.6;
    }
  }

  int k_;
  std::uint64_t keys_ = 0;
  std::vector<std::vector<double>> steps_;
  std::vector<double> state_;
};

/// 1 - rate by inclusion and exclusion, where k e^(-kn/m) is small.
double nearly_full(double m, double n, int k) {
  double missing = 0.0;
  double subsets = 1.0;
  for (int i = 1; i <= k; ++i) {
    subsets *= static_cast<double>(k - i + 1) / i;
    if (i + k > m) break;
    const double term = subsets * std::exp(n * log_miss(m, k, i));
    missing += i % 2 == 1 ? term : -term;
    if (term < 1e-18 * missing) break;
  }
  return 1.0 - missing;
}

}  // namespace

std::optional<double> exact_fpr_without_replacement(std::uint64_t m, std::uint64_t n,
                                                    std::uint64_t k) {
  detail::require_filter("rate without replacement", m, k);
  detail::require(k <= max_exact_probes, "rate without replacement",
                  "k is " + std::to_string(k) + "; at most 256 is computed");
  if (k > m) return std::nullopt;
  if (n == 0) return 0.0;
  const auto bits = static_cast<double>(m);
  const auto keys = static_cast<double>(n);
  const int probes = static_cast<int>(k);
  if (keys * static_cast<double>(k) / bits > 4.0 + std::log(static_cast<double>(k))) {
    return nearly_full(bits, keys, probes);
  }
  const double log_untouched = log_miss(bits, probes, probes);
  const detail::BinomialLaw touching{keys, -std::expm1(log_untouched), std::exp(log_untouched)};
  CoveringChain chain(bits, probes, keys * touching.success);
  return detail::binomial_mixture(touching, std::numeric_limits<double>::infinity(),
                                  [&](std::uint64_t keys_touching) {
                                    while (chain.keys() < keys_touching) chain.advance();
                                    return chain.all_covered();
                                  });
}

}  // namespace bloomlab::theory
