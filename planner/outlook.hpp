// A filter whose keys grow by a share a year: how long the bits last, and what else could be done:
// build it anew each year, let it grow by layers, or build it large at once and serve it folded.
//
// Bits for the filters of an LSM tree's levels (core/theory/levels.hpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "planner/plan.hpp"
#include "record/fields.hpp"

namespace bloomlab::planner {

/// The factor on n a year, above 1: "50%/year", "5%/month", "2x/year". Throws record::InputError,
/// with `what` as the place.
[[nodiscard]] double parse_growth(std::string_view what, std::string_view text);

/// The state at the end of a year; year 0 is the plan.
struct GrowthYear {
  std::uint64_t year = 0;
  std::uint64_t n = 0;              ///< distinct keys then
  double kept_rate = 0.0;           ///< exact rate of the planned filter, kept as it is
  std::uint64_t rebuilt_bits = 0;   ///< memory of the smallest standard filter for n and p
  std::uint64_t scalable_bits = 0;  ///< memory of a scalable filter (0.85, 2) started for the plan
  std::uint64_t scalable_layers = 0;
  /// A filter made for the last year's n, folded as often as p allows; see GrowthPlan.
  std::uint64_t folded_bits = 0;
  double folded_rate = 0.0;  ///< exact

  BLOOMLAB_FIELDS(year, n, kept_rate, rebuilt_bits, scalable_bits, scalable_layers, folded_bits,
                  folded_rate)
};

struct GrowthPlan {
  double factor = 1.0;          ///< on n a year
  double years = 0.0;           ///< the planned filter keeps p for so long; 0: it is full at once
  std::uint64_t last_keys = 0;  ///< distinct keys until then
  std::uint64_t best_k = 0;     ///< with this k, chosen for the end, the same bits last longest:
  double best_years = 0.0;
  std::uint64_t best_last_keys = 0;
  std::uint64_t large_bits = 0;        ///< the filter that is folded: its bits unfolded
  std::uint64_t large_k = 0;           ///< and its probes
  std::uint64_t rebuilt_keys = 0;      ///< keys inserted again, if it is built anew every year
  std::vector<GrowthYear> table = {};  ///< years 0 to the last one that is possible

  BLOOMLAB_FIELDS(factor, years, last_keys, best_k, best_years, best_last_keys, large_bits, large_k,
                  rebuilt_keys, table)
};

/// What becomes of a plan over so many years. Where n or a size passes what the theory answers,
/// the table ends before. @param factor above 1   @param years 1 to 100
[[nodiscard]] GrowthPlan growth_plan(const Plan& plan, double factor, std::uint64_t years);

/// A level; both filters are standard filters of whole bits with their best k and exact rates.
struct LsmLevel {
  std::uint64_t n = 0;           ///< keys
  std::uint64_t equal_bits = 0;  ///< with the same bits per key on every level
  double equal_rate = 0.0;
  std::uint64_t best_bits = 0;  ///< with the best split; 0: no filter
  double best_rate = 0.0;       ///< 1 without a filter

  BLOOMLAB_FIELDS(n, equal_bits, equal_rate, best_bits, best_rate)
};

struct LsmSplit {
  std::vector<LsmLevel> levels = {};  ///< from the smallest
  double equal_reads = 0.0;           ///< expected false reads of a lookup of an absent key
  double best_reads = 0.0;
  double equal_any = 0.0;  ///< probability of at least one
  double best_any = 0.0;
  /// Bits, over all levels, with which the best split has the reads of the equal one.
  std::uint64_t bits_for_equal_reads = 0;

  BLOOMLAB_FIELDS(levels, equal_reads, best_reads, equal_any, best_any, bits_for_equal_reads)
};

/// The split of `bits` over `levels` levels, each `ratio` times as large as the one above, that
/// hold n keys together. Throws record::InputError where a level would have no key.
/// @param levels 2 to 30   @param ratio 2 to 1000   @param bits >= 1
[[nodiscard]] LsmSplit lsm_split(std::uint64_t n, std::uint64_t bits, std::uint64_t levels,
                                 std::uint64_t ratio);

/// Filters that take turns, so that the last n keys of an endless stream are known: each has its
/// share of them, one more fills, and the oldest is emptied when that one is full.
struct Rotation {
  std::uint64_t filters = 0;  ///< shares + 1
  std::uint64_t keys = 0;     ///< of a filter: n / shares, rounded up
  std::uint64_t known = 0;    ///< most keys that are known at a time
  double rate = 0.0;          ///< that one of all reports an absent key, all full
  double rate_of_each = 0.0;
  std::uint64_t m = 0;  ///< of a standard filter, each
  std::uint64_t k = 0;
  std::uint64_t memory_bits = 0;  ///< of all, in whole words of 64 bits

  BLOOMLAB_FIELDS(filters, keys, known, rate, rate_of_each, m, k, memory_bits)
};

/// For the last n keys with a rate of at most p. @param shares 1..1000. Throws theory::DomainError
/// beyond 2^61 bits.
[[nodiscard]] Rotation rotation(std::uint64_t n, double p, std::uint64_t shares);

}  // namespace bloomlab::planner
