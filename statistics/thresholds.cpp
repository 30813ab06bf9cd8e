#include "statistics/thresholds.hpp"

#include <array>
#include <charconv>

namespace bloomlab::statistics::thresholds {

std::span<const Threshold> all() noexcept {
  static constexpr std::array list{family_alpha,
                                   suspect_share,
                                   interval_level,
                                   simultaneous_level,
                                   power,
                                   fill_only_effect,
                                   few_hits,
                                   minimum_trials,
                                   binomial_design_effect,
                                   normal_skewness,
                                   equivalence_level,
                                   rejection_level,
                                   equivalence_tolerance,
                                   first_batch,
                                   batch_growth_divisor,
                                   largest_precision,
                                   precision_trials,
                                   bootstrap_resamples,
                                   exact_rank_sample,
                                   speed_alpha,
                                   speed_effect,
                                   noise,
                                   noisy_share,
                                   comparison_process_runs,
                                   noise_quantile,
                                   calibration_alpha,
                                   calibration_effect,
                                   coverage_tolerance,
                                   coverage_hits,
                                   simulation_level};
  return list;
}

std::string canonical_text() {
  std::string text;
  for (const Threshold& threshold : all()) {
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), threshold.value).ptr;
    text.append(threshold.name).append("=").append(digits.data(), end).append("\n");
  }
  return text;
}

}  // namespace bloomlab::statistics::thresholds
