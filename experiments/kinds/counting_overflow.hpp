// Kind `counting_overflow`: do the counters of a counting filter suffice? Distinct keys raise them
// by chance; one key that comes again and again raises its own for sure.
// Source: Fan, Cao, Almeida, Broder 2000, "Summary cache", whose counters have 4 bits.
#pragma once

#include "core/filters/counting.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct CountingOverflow : OwnGridKind<CountingOverflow> {
  static constexpr std::string_view name = "counting_overflow";
  static constexpr std::string_view summary =
      "fill counting filters, one key coming several times, and delete that key as often: which "
      "counters overflow, which inserted keys are lost";

  struct Parameters {
    std::uint64_t filters = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"filters", "filters", "filters of one trial, each with keys of its own", 1,
                       1'000'000},
          p.filters);
  }

  /// What is inserted.
  struct Point {
    static constexpr std::string_view name = "stream";

    struct Parameters {
      std::uint64_t m = 0;
      std::uint64_t counters_per_key = 0;
      std::uint64_t k = 0;
      std::uint64_t counter_bits = 0;
      OverflowPolicy overflow = OverflowPolicy::saturate;
      std::uint64_t copies = 0;

      /// Distinct keys inserted, floor(m / counters_per_key).
      [[nodiscard]] std::uint64_t keys() const noexcept { return m / counters_per_key; }
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"m", "counters", "counters of a filter", 1, 1 << 30}, p.m);
      visit(IntegerField{"counters_per_key", "counters",
                         "m over the distinct keys, whose number is rounded down, and at least 1",
                         1, 1 << 30},
            p.counters_per_key);
      visit(IntegerField{"k", "probes per key", "counters raised for a key", 1, max_probes}, p.k);
      visit(IntegerField{.name = "counter_bits",
                         .unit = "bits",
                         .meaning = "size of a counter: 2, 3, 4, 8 or 16",
                         .min = 2,
                         .max = Counting::max_counter_bits,
                         .fallback = 4},
            p.counter_bits);
      visit(ChoiceField{"overflow", "what becomes of a counter at its largest value",
                        Counting::overflow_policies, 0},
            p.overflow);
      visit(IntegerField{.name = "copies",
                         .unit = "inserts",
                         .meaning = "how often the first key is inserted, before the others, which "
                                    "are inserted once",
                         .min = 1,
                         .max = 1'000'000,
                         .fallback = 1},
            p.copies);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Fills all filters of a trial with keys of the source `uniform` by the hash xxhash3_64 and
  /// independent probes. `measured`, summed over the filters: filters; overflowed, those in which a
  /// counter overflowed; overflows, increments that met a full counter; full, counters at their
  /// largest value; others, the keys that are inserted once; others_denied, repeated_denied: of the
  /// others, and filters that deny the repeated key; then, the repeated key deleted as often as it
  /// was inserted: deleted, deletions that the filter made; others_lost, of the others;
  /// repeated_left, filters that still report it. And where the key is repeated: earliest_overflow
  /// and latest_overflow, the smallest and the largest number of copies at which a filter's first
  /// overflow came; 0 where some filter had none of it, or all.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
