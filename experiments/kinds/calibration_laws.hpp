// What the calibration of the statistics draws from: filters and their hits by their laws alone,
// without a filter. Everything here is made by + - * / from integers, so that the counts of a
// simulation are the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/keys/keyed_permutation.hpp"

namespace bloomlab::experiments {

/// Random numbers: the images of 0, 1, 2, ... under the permutation of a seed.
class CounterRandom {
 public:
  explicit CounterRandom(std::uint64_t seed) : permutation_(seed) {}

  /// 64 random bits.
  [[nodiscard]] std::uint64_t bits() noexcept;
  /// A multiple of 2^-53 in [0, 1).
  [[nodiscard]] double unit() noexcept;
  /// Uniform in [0, bound), bound in 1 .. 2^40; biased by bound / 2^53 at most.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept;

 private:
  KeyedPermutation permutation_;
  std::array<std::uint64_t, 512> buffer_{};
  std::size_t used_ = 512;
  std::uint64_t counter_ = 0;
};

/// A law on the whole numbers first, first + 1, ...
class DiscreteLaw {
 public:
  /// @param weights non-negative, at least one positive; divided by their sum
  DiscreteLaw(std::uint64_t first, std::vector<double> weights);

  [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
  /// Numbers that it can give.
  [[nodiscard]] std::size_t size() const noexcept { return cumulated_.size(); }
  /// Probability of first + index.
  [[nodiscard]] double probability(std::size_t index) const noexcept;
  /// The number at which the cumulated probability exceeds `unit`, in [0, 1).
  [[nodiscard]] std::uint64_t at(double unit) const noexcept;

 private:
  std::uint64_t first_;
  std::vector<double> cumulated_;
};

/// Set bits of a standard filter: bins hit by k n balls in m bins, exactly, ball by ball. Numbers
/// less likely than 1e-30 on the way are left out, in all less than 1e-23.
/// @param m 1 .. 2^20 bits   @param n keys, k probes per key, kn in 1 .. 2^20
[[nodiscard]] DiscreteLaw set_bits_law(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// Hits of `draws` queries at one rate. Numbers 1e-20 times as likely as the likeliest are left
/// out.
/// @param draws 1 .. 2^50   @param rate in [0, 1]
[[nodiscard]] DiscreteLaw hits_law(std::uint64_t draws, double rate);

/// Hits of filters with given rates: keeps the laws that it has made.
class HitSampler {
 public:
  /// @param rates one for each sort of filter
  explicit HitSampler(std::vector<double> rates) : rates_(std::move(rates)) {}

  [[nodiscard]] double rate(std::size_t sort) const noexcept { return rates_[sort]; }
  /// Hits of `draws` queries to a filter of this sort.
  [[nodiscard]] std::uint64_t hits(std::size_t sort, std::uint64_t draws, CounterRandom& random);
  /// The query that is the `wanted`-th hit (>= 1) of a filter of this sort, counted from 1; asks in
  /// batches of `batch`, and finds the place in the last one, whose hits lie anywhere in it.
  [[nodiscard]] std::uint64_t queries_until(std::size_t sort, std::uint64_t wanted,
                                            std::uint64_t batch, CounterRandom& random);

 private:
  std::vector<double> rates_;
  std::map<std::uint64_t, std::vector<std::optional<DiscreteLaw>>> laws_;  // by draws, then sort
};

}  // namespace bloomlab::experiments
