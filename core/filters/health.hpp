// What a program wants to know of a filter in use: how full it is, and how much more it takes.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>

#include "core/filters/capacity.hpp"
#include "core/filters/concepts.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/models.hpp"

namespace bloomlab {

/// A number of keys, estimated from set bits, with an interval that holds the true one in 95 of 100
/// filters.
struct KeyEstimate {
  double keys = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// The state of a filter in use.
struct FilterHealth {
  std::uint64_t size = 0;       ///< keys inserted and not deleted, repeated ones included
  double fill = 0.0;            ///< share of the bits (counters, slots) that are set
  double rate = 0.0;            ///< false-positive rate of these very bits
  double predicted_rate = 0.0;  ///< of the closed form for `size` distinct keys
  std::uint64_t capacity = 0;   ///< distinct keys until the rate asked for
  std::uint64_t keys_left = 0;  ///< of them, those beyond `size`
  std::optional<KeyEstimate> distinct_keys = std::nullopt;  ///< where there is a closed form for it
};

/// A filter of which set bits tell how many distinct keys it holds: by a closed form that it names,
/// or by the shape of its blocks.
template <class Filter>
concept NamesCardinality = Described<Filter> &&
    requires(const typename Filter::Parameters& p, std::uint64_t bits_set) {
  { Filter::cardinality(p, bits_set) } -> std::same_as<theory::Query>;
};
template <class Filter>
concept HasBlockShape = Described<Filter> && requires(const typename Filter::Parameters& p) {
  { Filter::shape(p) } -> std::same_as<theory::BlockShape>;
};
template <class Filter>
concept EstimatesKeys = NamesCardinality<Filter> || HasBlockShape<Filter>;

/// Keys that a filter was given and has not deleted, repeated ones included.
template <class Filter>
[[nodiscard]] std::uint64_t keys_held(const Filter& filter) {
  if constexpr (requires { filter.inserted(); }) {
    return filter.inserted();
  } else if constexpr (requires { filter.stored(); }) {
    return filter.stored();
  } else {
    std::uint64_t keys = 0;
    for (const LayerState& layer : filter.state().layers) keys += layer.keys;
    return keys;
  }
}

namespace detail {

/// An estimate with its interval, at 1.96 standard deviations to either side.
[[nodiscard]] inline KeyEstimate with_interval(double keys, double sd) noexcept {
  const double spread = 1.959964 * sd;
  return {keys, std::max(0.0, keys - spread), keys + spread};
}

}  // namespace detail

/// The number of distinct keys that the filter's bits tell of; nothing where all bits are set.
template <EstimatesKeys Filter>
[[nodiscard]] std::optional<KeyEstimate> estimated_keys(const typename Filter::Parameters& p,
                                                        std::uint64_t bits_set) {
  if constexpr (NamesCardinality<Filter>) {
    const theory::Evaluation found = theory::evaluate(Filter::cardinality(p, bits_set));
    if (!std::holds_alternative<double>(found.value)) return std::nullopt;
    return detail::with_interval(found.number(), found.number("sd"));
  } else {
    const theory::BlockShape shape = Filter::shape(p);
    const auto keys = theory::estimated_keys(shape, bits_set);
    if (!keys) return std::nullopt;
    return detail::with_interval(*keys, theory::sd_estimated_keys(shape, *keys));
  }
}

/// The health of a filter, for a rate p that it shall not exceed. Reads the whole filter.
template <Described Filter>
[[nodiscard]] FilterHealth health_of(const Filter& filter,
                                     const typename Filter::Parameters& parameters, double p) {
  const FilterState state = filter.state();
  FilterHealth health;
  health.size = keys_held(filter);
  health.fill = static_cast<double>(state.bits_set) / static_cast<double>(state.bits);
  health.rate = state.conditional_rate;
  if (health.size != 0) health.predicted_rate = predicted_rate<Filter>(parameters, health.size);
  health.capacity = capacity_for<Filter>(parameters, p);
  health.keys_left = health.capacity - std::min(health.capacity, health.size);
  if constexpr (EstimatesKeys<Filter>) {
    health.distinct_keys = estimated_keys<Filter>(parameters, state.bits_set);
  }
  return health;
}

}  // namespace bloomlab
