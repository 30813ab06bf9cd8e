// Kinds of experiment whose grid holds fields of their own instead of keys, n, filter and hash:
// simulations of the statistics, seeded defects.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "experiments/kinds/measurement.hpp"

namespace bloomlab::experiments {

/// Such a kind has a type `Point` with `Parameters` and `describe`, the fields of a point of its
/// grid, and with p of its own keys, at of a point:
/// * check(p, at): a fault of the point as a text, or nothing;
/// * redrawn: what a trial draws anew (empty: one trial is all there can be);
/// * memory_bytes(at) of one trial, and seconds(p, at), a rough estimate of it on one thread;
/// * steps(p): observations of a trial;
/// * measure(p, at, seed): a trial, one measurement a step.
template <class Kind>
concept OwnGrid = requires(const typename Kind::Parameters& p,
                           const typename Kind::Point::Parameters& at, std::uint64_t seed) {
  { Kind::check(p, at) } -> std::same_as<std::optional<std::string>>;
  { Kind::redrawn() } -> std::same_as<std::span<const std::string_view>>;
  { Kind::memory_bytes(at) } -> std::same_as<std::uint64_t>;
  { Kind::seconds(p, at) } -> std::same_as<double>;
  { Kind::steps(p) } -> std::same_as<std::uint64_t>;
  { Kind::measure(p, at, seed) } -> std::same_as<std::vector<Measurement>>;
};

}  // namespace bloomlab::experiments
