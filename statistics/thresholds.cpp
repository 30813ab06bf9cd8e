#include "statistics/thresholds.hpp"

#include <array>

namespace bloomlab::statistics::thresholds {

std::span<const Threshold> all() noexcept {
  static constexpr std::array list{family_alpha,   interval_level,         simultaneous_level,
                                   power,          fill_only_effect,       few_hits,
                                   minimum_trials, binomial_design_effect, normal_skewness};
  return list;
}

}  // namespace bloomlab::statistics::thresholds
