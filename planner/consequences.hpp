// What a wrong guess costs: the rate of a planned filter when n, k or m turn out differently.
//
// Whether a filter in front of a slow store pays, and how large it should be.
//
// A lookup costs T = t_f + (h + (1 - h) p) t_s with a filter and t_s without: t_f the filter's own
// time, t_s that of the store, h the share of lookups for present keys, p the filter's rate. The
// filter pays where t_f < (1 - h)(1 - p) t_s. With a price of memory, bits per key b are best at
// (1/ln^2 2) ln(W ln^2 2 / mu), W = lookups/s (1 - h) t_s / n.
// Source: derived here from the approximate rate at real k, 0.6185^b; the setting is that of
// Bloom 1970, "Space/time trade-offs in hash coding with allowable errors".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.hpp"
#include "record/fields.hpp"

namespace bloomlab::planner {

/// The plan with one quantity changed.
struct Shift {
  std::string change;  ///< "n + 1 %", for few keys "n + 1"; "k - 1", "m down to a power of two"
  std::uint64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  double rate = 0.0;   ///< exact
  double ratio = 1.0;  ///< over the plan's exact rate

  BLOOMLAB_FIELDS(change, n, m, k, rate, ratio)
};

/// What room for more keys costs: a standard filter made for the larger number at once, or a
/// scalable one (tightening 0.85, growth 2) started for the planned n that has grown to it.
struct Growth {
  double factor = 1.0;              ///< on the planned n
  std::uint64_t n = 0;              ///< keys, then
  std::uint64_t plain_bits = 0;     ///< memory of the smallest standard filter for them
  std::uint64_t scalable_bits = 0;  ///< memory of the scalable filter with all its layers
  std::uint64_t layers = 0;         ///< of the scalable filter
  /// Up to so many keys the scalable filter takes less than `plain_bits`; 0: it never does.
  std::uint64_t scalable_less_up_to = 0;

  BLOOMLAB_FIELDS(factor, n, plain_bits, scalable_bits, layers, scalable_less_up_to)
};

/// How far the rate moves, and what a filter that grows costs.
struct Sensitivity {
  std::vector<Shift>
      shifts;  ///< n up by 1 %, 10 %, to 2 and 10 times; k off by one; m a power of 2
  /// d ln rate / d ln n at the plan, by the approximate rate; at the best fill k ln 2. A slope: for
  /// 1 % more keys the rate rises by a little more, see `shifts`.
  double elasticity = 0.0;
  std::uint64_t most_keys = 0;  ///< keys with which the rate still is at most p, this k
  std::uint64_t most_keys_at_twice_the_rate = 0;  ///< ... at most 2 p
  std::uint64_t most_keys_at_ten_times_the_rate =
      0;  ///< ... at most 10 p, where that is below 1; else 0
  /// For n, 1.5, 2, 3 and 10 times n, at the plan's rate p; shorter where no such filter is
  /// possible.
  std::vector<Growth> growth = {};

  BLOOMLAB_FIELDS(elasticity, most_keys, most_keys_at_twice_the_rate,
                  most_keys_at_ten_times_the_rate, growth, shifts)
};

/// The sensitivity of a plan.
[[nodiscard]] Sensitivity sensitivity_of(const Plan& plan);

/// The store and its users.
struct StoreCosts {
  double miss_cost_ns = 0.0;    ///< t_s: time of a lookup in the store, > 0
  double filter_cost_ns = 0.0;  ///< t_f: time of a lookup in the filter, >= 0
  double hit_ratio = 0.0;       ///< h, in [0, 1]
  std::optional<double> lookups_per_second = std::nullopt;  ///< > 0
  /// Price of a bit in seconds of the store a second (1: the store is busy all the time); > 0
  std::optional<double> price_per_bit = std::nullopt;
};

struct BreakEven {
  double with_filter_ns = 0.0;     ///< mean lookup with the filter
  double without_filter_ns = 0.0;  ///< mean lookup without
  bool pays = false;
  /// The hit ratio from which on the filter does not pay; 0 where it never does.
  double break_even_hit_ratio = 0.0;
  std::optional<double> store_lookups_saved_per_second = std::nullopt;
  std::optional<double> store_seconds_saved_per_second = std::nullopt;
  /// Bits per key of a standard filter with the least total cost, for real k; 0: no filter. Needs
  /// lookups and a price.
  std::optional<double> best_bits_per_key = std::nullopt;
  std::optional<double> best_rate = std::nullopt;  ///< the rate there; 1 without a filter
  /// The same minimised over whole k by the approximate rate.
  std::optional<double> best_bits_per_key_whole_k = std::nullopt;
  std::optional<std::uint64_t> best_k = std::nullopt;

  BLOOMLAB_FIELDS(store_lookups_saved_per_second, store_seconds_saved_per_second, best_bits_per_key,
                  best_rate, best_bits_per_key_whole_k, best_k)
};

/// The break-even of a filter with n keys and this rate; its time is in the costs.
[[nodiscard]] BreakEven break_even(std::uint64_t n, double rate, const StoreCosts& costs);

/// That at least one of `count` independent answers is a false positive: 1 - (1 - rate)^count.
[[nodiscard]] double any_of(double rate, std::uint64_t count);
/// The rate of each of `count` with which any_of() is `any`.
[[nodiscard]] double each_of(double any, std::uint64_t count);

}  // namespace bloomlab::planner
