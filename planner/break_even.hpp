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

namespace bloomlab::planner {

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
};

/// The break-even of a filter with n keys and this rate; its time is in the costs.
[[nodiscard]] BreakEven break_even(std::uint64_t n, double rate, const StoreCosts& costs);

}  // namespace bloomlab::planner
