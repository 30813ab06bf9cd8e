// The mean of a nondecreasing function in [0, 1] over a binomial count. Internal to core/theory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace bloomlab::theory::detail {

/// A binomial law with its success probability given twice, so that neither side loses digits.
struct BinomialLaw {
  double trials = 0.0;
  double success = 0.0;  ///< probability of a success
  double failure = 0.0;  ///< 1 - success
};

/// Probabilities of the counts around the mode, which add up to 1: by ratios outwards from the
/// mode, so that nothing underflows and no lgamma loses digits.
class BinomialWindow {
 public:
  explicit BinomialWindow(const BinomialLaw& law) {
    const double mode = std::min(std::floor((law.trials + 1.0) * law.success), law.trials);
    const auto ratio = [&](double i) {  // p(i + 1) / p(i)
      return (law.trials - i) / (i + 1.0) * (law.success / law.failure);
    };
    std::vector<double> below;  // p(mode - 1), p(mode - 2), ...
    double p = 1.0;
    // The function is nondecreasing: far below the mode nothing counts, far above something may.
    for (double i = mode; i > 0.0 && law.failure > 0.0 && p > 1e-25; --i) {
      below.push_back(p /= ratio(i - 1.0));
    }
    first_ = static_cast<std::uint64_t>(mode) - below.size();
    pmf_.assign(below.rbegin(), below.rend());
    mode_ = static_cast<std::uint64_t>(mode);
    p = 1.0;
    pmf_.push_back(p);
    for (double i = mode; i < law.trials && law.failure > 0.0 && p > 1e-300; ++i) {
      pmf_.push_back(p *= ratio(i));
    }
    double sum = 0.0;
    for (const double value : pmf_) sum += value;
    for (double& value : pmf_) value /= sum;
  }

  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t mode() const { return mode_; }
  [[nodiscard]] const std::vector<double>& pmf() const& { return pmf_; }
  void pmf() const&& = delete;

 private:
  std::uint64_t first_ = 0;
  std::uint64_t mode_ = 0;
  std::vector<double> pmf_;
};

/// E[function(I)], I binomial. `function` is nondecreasing with values in [0, 1], is called with
/// ascending counts, and is 1 in double from `saturated` on.
template <class Function>
double binomial_mixture(const BinomialLaw& law, double saturated, Function&& function) {
  const double mean = law.trials * law.success;
  const double margin = 10.0 * std::sqrt(mean * law.failure) + 10.0;
  if (mean - margin > saturated) return 1.0;
  const BinomialWindow window(law);
  double sum = 0.0;
  for (std::size_t i = 0; i < window.pmf().size(); ++i) {
    const std::uint64_t count = window.first() + i;
    const double p = window.pmf()[i];
    if (count > window.mode() && p < 1e-19 * sum) break;
    sum += p * (static_cast<double>(count) >= saturated ? 1.0 : function(count));
  }
  return std::min(sum, 1.0);
}

}  // namespace bloomlab::theory::detail
