// The measured rate of a case beside the closed forms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lab/cases.hpp"
#include "lab/trial.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::lab {

/// Below this p-value a rate does not hold: for a filter as it should be, once in ten thousand
/// cases.
inline constexpr double least_p = 1e-4;
/// What a filter's own hash functions may add to the spread of its rate, in parts of it.
inline constexpr double hash_spread = 0.02;

/// A rate with its 95 % interval (Clopper and Pearson 1934) and what theory says.
struct Rate {
  double measured = 0.0;
  statistics::Interval interval;
  double theory = 0.0;
};

[[nodiscard]] Rate rate_of(const Case& one, const Trial& trial);

/// Whether the hits fit the closed form with k hash functions.
[[nodiscard]] bool fits(const Case& one, const Trial& trial, std::uint64_t k);

/// A case and what it gave, without a fault.
struct Tried {
  const Case* one = nullptr;
  const Trial* trial = nullptr;
};

/// The one other number of hash functions with which all these cases fit; nothing where none or
/// several do. To be asked for where they do not fit the assigned number.
[[nodiscard]] std::optional<std::uint64_t> other_k(std::span<const Tried> tried);

/// The part of its bits with which all these cases fit: a filter that reaches no more, or more,
/// than it was told. Nothing where no such part fits.
[[nodiscard]] std::optional<double> part_of_bits(std::span<const Tried> tried);

}  // namespace bloomlab::lab
