#include "core/filters/scalable_layers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/portable_math.hpp"
#include "core/parameters.hpp"

namespace bloomlab {
namespace {

constexpr std::uint64_t max_capacity = max_filter_bits;

/// ceil(log2 1/p) for p in (0, 1), exact: p = f 2^e with f in [1/2, 1) has log2 1/p in (-e, 1 - e].
std::uint64_t probes_for_rate(double p) noexcept {
  constexpr double rounding = 1e-12;
  int exponent = 0;
  std::frexp(p * (1.0 + rounding), &exponent);
  return static_cast<std::uint64_t>(std::max(1, 1 - exponent));
}

/// first ratio^index, or nothing above max_capacity.
std::optional<std::uint64_t> geometric(std::uint64_t first, std::uint64_t ratio,
                                       std::uint64_t index) noexcept {
  std::uint64_t value = first;
  if (ratio == 1) return value <= max_capacity ? std::optional(value) : std::nullopt;
  for (std::uint64_t i = 0; i < index; ++i) {
    if (value > max_capacity / ratio) return std::nullopt;
    value *= ratio;
  }
  return value <= max_capacity ? std::optional(value) : std::nullopt;
}

}  // namespace

ScalableLayers::ScalableLayers(double target, double tightening, std::uint64_t growth,
                               std::uint64_t first_capacity) noexcept
    : first_rate_(target * (1.0 - tightening)),
      tightening_(tightening),
      growth_(growth),
      first_capacity_(first_capacity) {}

std::optional<LayerPlan> ScalableLayers::plan(std::uint64_t index) const noexcept {
  if (index >= max_layers) return std::nullopt;
  const std::optional<std::uint64_t> capacity = geometric(first_capacity_, growth_, index);
  const double rate = first_rate_ * integer_power(tightening_, index);
  if (!capacity || rate < std::numeric_limits<double>::min()) return std::nullopt;
  const std::uint64_t probes = probes_for_rate(rate);
  if (probes > max_probes) return std::nullopt;
  // p^(1/k) is the fill at which k probes reach the rate p; ideal inserts reach it after
  // -m ln(1 - fill) / k keys.
  const auto k = static_cast<double>(probes);
  const double fill = portable::exp(portable::log(rate) / k);
  const double bits = std::ceil(-k * static_cast<double>(*capacity) / portable::log_of_rest(fill));
  if (!(bits >= 1.0 && bits <= static_cast<double>(max_filter_bits))) return std::nullopt;
  return LayerPlan{static_cast<std::uint64_t>(bits), probes, *capacity};
}

UntightenedLayers::UntightenedLayers(std::uint64_t m, std::uint64_t k, double fp) noexcept
    : first_bits_(m),
      probes_(k),
      keys_per_bit_(
          -portable::log_of_rest(portable::exp(portable::log(fp) / static_cast<double>(k))) /
          static_cast<double>(k)) {}

std::optional<LayerPlan> UntightenedLayers::plan(std::uint64_t index) const noexcept {
  const std::optional<std::uint64_t> bits = geometric(first_bits_, 2, index);
  if (!bits || *bits > max_filter_bits) return std::nullopt;
  const double keys = std::ceil(static_cast<double>(*bits) * keys_per_bit_);
  if (!(keys >= 1.0 && keys <= static_cast<double>(max_capacity))) return std::nullopt;
  return LayerPlan{*bits, probes_, static_cast<std::uint64_t>(keys)};
}

}  // namespace bloomlab
