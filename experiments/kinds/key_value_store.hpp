// Kind `key_value_store`: lookups in a store of keys and values, RocksDB, without a filter, with
// the store's own, and with one of ours in front, by the share of keys that are there. A program of
// its own talks to the store (experiments/store).
// Sources: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors"; the store:
// Dong, Kryczka, Jin, Stumm 2021, "RocksDB: evolution of development priorities in a key-value
// store serving large-scale applications".
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/kinds/trial_program.hpp"

namespace bloomlab::experiments {

struct KeyValueStore : OwnGridKind<KeyValueStore> {
  static constexpr std::string_view name = "key_value_store";
  static constexpr std::string_view summary =
      "look up keys in a RocksDB without a filter, with its own and with one in front; time it";
  static constexpr bool by_process_runs = true;

  static constexpr std::uint64_t orders = 6;  ///< of the three guards
  static constexpr const char* program = store_program;

  struct Parameters {
    std::uint64_t lookups = 0;
    std::uint64_t repetitions = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"lookups", "lookups", "counted lookups, the same ones of each guard", 1,
                       10'000'000},
          p.lookups);
    visit(IntegerField{.name = "repetitions",
                       .unit = "repetitions",
                       .meaning = "timed, of each guard and each constant of the model; a multiple "
                                  "of 6, for the three guards take turns in all six orders",
                       .min = orders,
                       .max = 600,
                       .fallback = 24},
          p.repetitions);
  }

  struct Point {
    static constexpr std::string_view name = "store";
    static constexpr std::array<std::string_view, 2> stores = {"cached", "no_cache"};
    static constexpr std::array<std::string_view, 3> filters = {"standard", "blocked",
                                                                "split_block"};

    /// The words of `stores`; the files are in the system's page cache in any case.
    enum class Store : std::uint32_t {
      cached,   ///< RocksDB's block cache holds every block
      no_cache  ///< it has none: a lookup reads, checks and decompresses its block
    };
    /// The filter in front; the words of `filters`.
    enum class Front : std::uint32_t { standard, blocked, split_block };

    struct Parameters {
      Store store{};
      std::uint64_t n = 0;
      std::uint64_t value_bytes = 0;
      double hit_ratio = 0.0;
      Front front{};
      std::uint64_t bits_per_key = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"store", "whether blocks are cached or read anew", stores}, p.store);
      visit(IntegerField{"n", "keys", "keys of 16 bytes in the store", 1, 100'000'000}, p.n);
      visit(IntegerField{"value_bytes", "bytes", "length of a value", 1, 1 << 20}, p.value_bytes);
      visit(RealField{.name = "hit_ratio",
                      .unit = "probability",
                      .meaning = "that the key of a lookup is in the store"},
            p.hit_ratio);
      visit(ChoiceField{"front", "the filter in front of the store", filters, 0}, p.front);
      visit(IntegerField{"bits_per_key", "bits",
                         "size of the filter in front, and of the store's own, over n", 1, 24, 10},
            p.bits_per_key);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Guards: `none`; `own`, RocksDB's full filter; `ours`, a filter in front. All three meet the
  /// same lookups. `measured`: lookups and hits, those of keys that are there; of each guard G, by
  /// RocksDB's statistics, G_reads, lookups that reached its data (behind `ours` its calls, behind
  /// `own` those that its filter let by), G_found and G_blocks, data blocks that were searched; of
  /// both filters G_avoided, reads that it spared, G_false_positives, G_m and G_k; and wrong,
  /// answers that were not the key's. `timing`, a number a repetition: none_ns, own_ns, ours_ns;
  /// measured before them, with keys that are all absent or all present, the constants of the
  /// model: filter_absent_ns, filter_present_ns, the filter in front alone; store_absent_ns,
  /// store_present_ns, without a filter; own_absent_ns, own_present_ns; and looked_up, the keys of
  /// a repetition. Throws InputError where this build has no such program, and std::runtime_error
  /// with the store's fault.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
