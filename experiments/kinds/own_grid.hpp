// Kinds of experiment whose grid holds fields of their own instead of keys, n, filter and hash:
// simulations of the statistics, seeded defects, applications.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// What most such kinds have in common, to be hidden where one differs: no keys of its own beside
/// the grid, every point is sound, a trial draws the keys and the seed of the hash anew and is one
/// observation.
template <class Kind>
struct OwnGridKind {
  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  template <class K = Kind>
  static std::optional<std::string> check(const typename K::Parameters& /*p*/,
                                          const typename K::Point::Parameters& /*at*/) {
    return std::nullopt;
  }
  static std::span<const std::string_view> redrawn() {
    static constexpr std::array<std::string_view, 2> what = {"keys", "hash_seed"};
    return what;
  }
  template <class K = Kind>
  static std::uint64_t steps(const typename K::Parameters& /*p*/) {
    return 1;
  }
};

}  // namespace bloomlab::experiments
