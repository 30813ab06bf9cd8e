// What a program wants to know of a filter in use: how full it is, and how much more it takes.
#pragma once

#include <algorithm>
#include <cmath>
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

/// The state of a filter in use. What it says of keys is of distinct ones, by the filter's bits:
/// keys that were inserted twice, or that both of two merged filters had, count once. Filters whose
/// bits do not tell (those that grow by layers, and Cuckoo, where a key inserted twice takes two
/// slots) and exact sets go by `size` instead.
struct FilterHealth {
  std::uint64_t size = 0;       ///< calls: keys inserted and not deleted, repeated ones included
  double fill = 0.0;            ///< share of the bits (counters, slots) that are set
  double rate = 0.0;            ///< false-positive rate of these very bits
  double predicted_rate = 0.0;  ///< of the closed form for the keys held
  std::uint64_t capacity = 0;   ///< distinct keys until the rate asked for
  std::uint64_t keys_left = 0;  ///< of them, those beyond the keys held
  std::uint64_t keys_left_low = 0;   ///< 95 % confidence interval of keys_left
  std::uint64_t keys_left_high = 0;  ///< both are keys_left where the bits do not tell
  std::optional<KeyEstimate> distinct_keys = std::nullopt;  ///< where the bits tell
};

/// A filter of which set bits tell how many distinct keys it holds: by a closed form that it names,
/// by the shape of its blocks, or by two kinds of bits.
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
concept HasUnevenBits = Described<Filter> && requires(const typename Filter::Parameters& p) {
  { Filter::uneven_bits(p) } -> std::same_as<theory::UnevenBits>;
};
template <class Filter>
concept EstimatesKeys = NamesCardinality<Filter> || HasBlockShape<Filter> || HasUnevenBits<Filter>;

/// Keys that a filter was given and has not deleted, repeated ones included: it counts calls. After
/// a merge, the calls of both filters.
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
    const auto shape = [&p] {
      if constexpr (HasBlockShape<Filter>) {
        return Filter::shape(p);
      } else {
        return Filter::uneven_bits(p);
      }
    }();
    const auto keys = theory::estimated_keys(shape, bits_set);
    if (!keys) return std::nullopt;
    return detail::with_interval(*keys, theory::sd_estimated_keys(shape, *keys));
  }
}

/// The distinct keys that a filter holds: those that its bits tell of, or the count of calls where
/// that is lower and within the interval, as no filter holds more keys than it was given; nothing
/// where all bits are set, which any large number of keys fits.
/// @param calls keys inserted, repeated ones included   @param estimate by the bits
[[nodiscard]] inline std::optional<double> distinct_held(
    std::uint64_t calls, const std::optional<KeyEstimate>& estimate) noexcept {
  if (!estimate) return std::nullopt;
  return std::clamp(static_cast<double>(calls), estimate->low, estimate->keys);
}

namespace detail {

/// Of `capacity` keys those beyond `held`, rounded.
[[nodiscard]] inline std::uint64_t keys_beyond(double held, std::uint64_t capacity) noexcept {
  return capacity - std::min(capacity, static_cast<std::uint64_t>(std::llround(held)));
}

}  // namespace detail

/// The rate that the closed form foretells for the distinct keys that the filter holds; 1 where all
/// of its bits are set. @param state of the filter
template <Described Filter>
[[nodiscard]] double predicted_rate_of(const Filter& filter,
                                       const typename Filter::Parameters& parameters,
                                       const FilterState& state) {
  std::uint64_t keys = keys_held(filter);
  if constexpr (EstimatesKeys<Filter>) {
    const auto held = distinct_held(keys, estimated_keys<Filter>(parameters, state.bits_set));
    if (!held) return state.conditional_rate;
    keys = static_cast<std::uint64_t>(std::llround(*held));
  }
  return keys == 0 ? 0.0 : predicted_rate<Filter>(parameters, keys);
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
  health.predicted_rate = predicted_rate_of(filter, parameters, state);
  health.capacity = capacity_for<Filter>(parameters, p);
  if constexpr (EstimatesKeys<Filter>) {
    health.distinct_keys = estimated_keys<Filter>(parameters, state.bits_set);
    if (const auto held = distinct_held(health.size, health.distinct_keys)) {
      health.keys_left = detail::keys_beyond(*held, health.capacity);
      health.keys_left_low = detail::keys_beyond(health.distinct_keys->high, health.capacity);
      health.keys_left_high = detail::keys_beyond(health.distinct_keys->low, health.capacity);
    }
  } else {
    health.keys_left = health.capacity - std::min(health.capacity, health.size);
    health.keys_left_low = health.keys_left_high = health.keys_left;
  }
  return health;
}

}  // namespace bloomlab
