// How a filter is sized for a goal: its shapes, each with one whole number that is free.
//
// A shape fixes every parameter but one, such as k and the block size; the free number, `units`,
// is what the filter is made of: bits, blocks, counters, fingerprint bits. Memory never falls with
// it and the rate never rises, so that both ends are found by a search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/filters/concepts.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/blocked.hpp"
#include "core/theory/models.hpp"

namespace bloomlab {

/// A filter of one shape, by its units.
template <class Parameters>
struct Shape {
  std::uint64_t least = 1;  ///< units, from ...
  std::uint64_t most = 1;   ///< ... to
  std::function<Parameters(std::uint64_t)> make = {};
};

/// What a filter says of itself for a goal: every shape that it may take, and what else to know.
template <class Parameters>
struct Sizing {
  Traits traits = {};
  std::vector<Shape<Parameters>> shapes = {};
  std::string false_negatives = {};  ///< when a key can be lost; empty: never
  std::string note = {};             ///< what else to know; may be empty
  std::string unavailable = {};      ///< why there is no shape
};

/// A filter that can be sized: `sizing` gives its shapes for a goal, `lines` the cache lines that a
/// lookup reads once n keys are in it.
template <class Filter>
concept Sized = Described<Filter> &&
    requires(const typename Filter::Parameters& p, const SizingGoal& goal, std::uint64_t n) {
  { Filter::sizing(goal) } -> std::same_as<Sizing<typename Filter::Parameters>>;
  { Filter::lines(p, n) } -> std::same_as<LinesRead>;
};

/// The false-positive rate of the filter of these parameters after n distinct keys, by the closed
/// form that it names. Throws theory::DomainError where the form refuses them.
template <Described Filter>
[[nodiscard]] double predicted_rate(const typename Filter::Parameters& parameters,
                                    std::uint64_t n) {
  if constexpr (requires { Filter::rate(parameters, n); }) {
    return Filter::rate(parameters, n);
  } else {
    return theory::Evaluation{theory::evaluate_value(Filter::prediction(parameters, n)), {}}
        .number();
  }
}

/// A filter of blocks that are alike: `block_rates(p)` knows their rates for any number of them.
template <class Filter>
concept HasBlockRates = Described<Filter> && requires(const typename Filter::Parameters& p) {
  { Filter::block_rates(p) } -> std::same_as<theory::BlockRates>;
  { Filter::blocks(p) } -> std::same_as<std::uint64_t>;
};

namespace detail {

/// A shape as the search sees it.
struct SizeCurve {
  std::uint64_t least = 1;
  std::uint64_t most = 1;
  std::function<std::uint64_t(std::uint64_t)> memory_bits = {};
  std::function<double(std::uint64_t)> rate = {};
  /// What the rate is not below, to 1e-9, where that is known in less time; may be empty.
  std::function<double(std::uint64_t)> at_least = {};
};

/// One of the curves, and its units.
struct SizeChoice {
  std::size_t curve = 0;
  std::uint64_t units = 0;
};

/// For a rate the least memory that keeps it, for memory the lowest rate within it; nothing where
/// no curve reaches the goal.
[[nodiscard]] std::optional<SizeChoice> best_choice(const std::vector<SizeCurve>& curves,
                                                    const SizingGoal& goal);

}  // namespace detail

/// The parameters that are best for the goal among the shapes: for a rate the least memory that
/// keeps it by the filter's own closed form, for memory the lowest rate within it. Nothing where no
/// shape reaches the goal. The goal has a rate or memory.
template <Sized Filter>
[[nodiscard]] std::optional<typename Filter::Parameters> best_parameters(
    const Sizing<typename Filter::Parameters>& sizing, const SizingGoal& goal) {
  std::vector<detail::SizeCurve> curves;
  for (const auto& shape : sizing.shapes) {
    const auto* const make = &shape.make;
    const std::uint64_t n = goal.n;
    detail::SizeCurve curve{.least = shape.least, .most = shape.most};
    curve.memory_bits = [=](std::uint64_t units) { return Filter::memory_bits((*make)(units), n); };
    if constexpr (HasBlockRates<Filter>) {
      const auto rates =
          std::make_shared<theory::BlockRates>(Filter::block_rates((*make)(shape.least)));
      curve.rate = [=](std::uint64_t units) {
        return rates->rate(Filter::blocks((*make)(units)), n);
      };
      curve.at_least = [=](std::uint64_t units) {
        return rates->at_mean_fill(Filter::blocks((*make)(units)), n);
      };
    } else {
      curve.rate = [=](std::uint64_t units) { return predicted_rate<Filter>((*make)(units), n); };
    }
    curves.push_back(std::move(curve));
  }
  const std::optional<detail::SizeChoice> choice = detail::best_choice(curves, goal);
  if (!choice) return std::nullopt;
  return sizing.shapes[choice->curve].make(choice->units);
}

/// The same, among the shapes that the filter takes for the goal.
template <Sized Filter>
[[nodiscard]] std::optional<typename Filter::Parameters> best_parameters(const SizingGoal& goal) {
  return best_parameters<Filter>(Filter::sizing(goal), goal);
}

}  // namespace bloomlab
