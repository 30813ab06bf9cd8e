// What the rules of several systems share.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/theory/standard.hpp"
#include "planner/plan.hpp"
#include "planner/presets/preset.hpp"
#include "record/input_error.hpp"

namespace bloomlab::planner::detail {

/// Bits as a whole number. Throws record::InputError beyond the largest filter.
[[nodiscard]] inline std::uint64_t preset_bits(double bits) {
  if (!(bits < static_cast<double>(largest_filter))) {
    throw record::InputError("--preset: the filter would pass 2^61 bits; give fewer keys");
  }
  return static_cast<std::uint64_t>(bits);
}

/// Probes within what is computed.
[[nodiscard]] inline std::uint64_t preset_probes(double k) {
  if (k > static_cast<double>(theory::max_exact_probes)) {
    throw record::InputError("--preset: more than 256 probes; give a higher rate");
  }
  return k < 1.0 ? 1 : static_cast<std::uint64_t>(k);
}

/// -ln p / ln^2 2: bits per key for a real k.
[[nodiscard]] inline double ideal_bits_per_key(double p) {
  return -std::log(p) / (std::numbers::ln2 * std::numbers::ln2);
}

/// A standard filter at its exact rate.
[[nodiscard]] inline PresetFilter standard_preset(const PresetRequest& request, std::uint64_t m,
                                                  std::uint64_t k, double stated) {
  return {.m = m,
          .k = k,
          .layout = "standard",
          .rate = theory::exact_fpr(m, request.n, k),
          .stated_rate = stated};
}

}  // namespace bloomlab::planner::detail
