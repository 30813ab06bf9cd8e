// Kind `heavy_check`: a check that costs something, with a filter in front and without, by share of
// hits and length of key. A filter hashes the whole key; a check may need less of it.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors".
#pragma once

#include "experiments/applications/membership.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct HeavyCheck : OwnGridKind<HeavyCheck> {
  static constexpr std::string_view name = "heavy_check";
  static constexpr std::string_view summary =
      "time a check of keys with a filter in front and without, by share of hits and key length";
  static constexpr bool by_process_runs = true;

  static constexpr std::uint64_t orders = 6;  ///< of the three ways that are timed

  struct Parameters {
    std::uint64_t lookups = 0;
    std::uint64_t known_bytes = 0;
    std::uint64_t shares = 0;
    std::uint64_t repetitions = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"lookups", "lookups",
                       "counted lookups for each share of hits; as many as known keys at most", 1,
                       10'000'000},
          p.lookups);
    visit(IntegerField{"known_bytes", "bytes", "of all known keys together", 1024,
                       std::uint64_t{1} << 32},
          p.known_bytes);
    visit(IntegerField{"shares", "shares",
                       "shares of hits, evenly from none to all: as many steps, from 1", 2, 101},
          p.shares);
    visit(IntegerField{.name = "repetitions",
                       .unit = "repetitions",
                       .meaning = "timed, of each way and share of hits; a multiple of 6, for the "
                                  "three ways take turns in all six orders",
                       .min = orders,
                       .max = 600,
                       .fallback = 24},
          p.repetitions);
  }

  struct Point {
    static constexpr std::string_view name = "check";
    static constexpr std::array<std::string_view, 4> checks = {"hash_table", "sorted_list", "file",
                                                               "regular_expression"};

    /// What says whether a key is known; the words of `checks`.
    enum class Check : std::uint32_t {
      hash_table,         ///< std::unordered_set<std::string>
      sorted_list,        ///< a sorted vector of texts
      file,               ///< a sorted file of such records, by halves, a read each
      regular_expression  ///< a pattern that known keys match, over the whole key
    };

    struct Parameters {
      Check check{};
      std::uint64_t key_bytes = 0;
      std::uint64_t bits_per_key = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"check", "what says whether a key is known", checks}, p.check);
      visit(IntegerField{"key_bytes", "bytes", "length of a key", 24, 1 << 20}, p.key_bytes);
      visit(IntegerField{"bits_per_key", "bits",
                         "size of the filter over the known keys, with ln 2 times as many probes",
                         1, 64},
            p.bits_per_key);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t steps(const Parameters& p) { return p.shares; }

  /// Step i looks up keys of which (i - 1) / (shares - 1) are known. `measured`: known; lookups and
  /// hits, known ones among them; the four counts of the filter; checks, those made behind it; m
  /// and k. `timing`, a number a repetition: plain_ns, the check alone; filtered_ns, the filter and
  /// then the check where it says maybe; filter_ns, the filter alone; and looked_up, the keys of a
  /// repetition, the same of all. Every repetition of every way has keys of its own, which are in a
  /// cache when they are looked up; the ways take turns by run_in_every_order().
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed) {
    return measure_with(default_filter, p, at, seed);
  }
  /// The same with another set in the place of the filter.
  static std::vector<Measurement> measure_with(const MakeMembership& make, const Parameters& p,
                                               const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
