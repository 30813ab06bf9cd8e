// Kind `table_levels`: a store that keeps its keys in levels of tables, each level larger than the
// one above and with a filter per table: which tables a lookup reads, by how the same memory is
// split over the filters. A program of its own talks to the store (experiments/store).
// Sources: Chang et al. 2006, "Bigtable: a distributed storage system for structured data"; Dayan,
// Athanassoulis, Idreos 2017, "Monkey: optimal navigable key-value store" (core/theory/levels.hpp).
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/kinds/trial_program.hpp"

namespace bloomlab::experiments {

struct TableLevels : OwnGridKind<TableLevels> {
  static constexpr std::string_view name = "table_levels";
  static constexpr std::string_view summary =
      "look up keys in levels of RocksDB tables, with no filter, with equal bits per key and with "
      "the best split of the bits; count reads";

  static constexpr const char* program = store_program;
  static constexpr std::uint64_t value_bytes = 32;

  struct Parameters {
    std::uint64_t lookups = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"lookups", "lookups",
                       "counted lookups of absent keys, and as many of present ones; the same of "
                       "each way to split the bits",
                       1, 10'000'000},
          p.lookups);
  }

  struct Point {
    static constexpr std::string_view name = "tables";

    struct Parameters {
      std::uint64_t levels = 0;
      std::uint64_t ratio = 0;
      std::uint64_t n = 0;
      std::uint64_t bits_per_key = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"levels", "levels", "levels of one table each", 2, 10}, p.levels);
      visit(IntegerField{"ratio", "", "keys of a level over those of the level above", 2, 100},
            p.ratio);
      visit(IntegerField{"n", "keys", "keys of 16 bytes in all tables together", 1, 10'000'000},
            p.n);
      visit(IntegerField{"bits_per_key", "bits", "size of all filters together, over n", 1, 32},
            p.bits_per_key);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Ways: `none`, no filters; `uniform`, the same bits per key on every level; `split`, the bits
  /// that leave the fewest reads of absent keys. A lookup goes from the smallest level down, reads
  /// the tables whose filter reports the key or that have none, and ends where it finds it.
  /// `measured`, lists by level from the smallest: level_keys; level_found, the lookups of present
  /// keys that are there; of each way W, W_bits (0: no filter), W_probes, W_reads of absent and
  /// W_present_reads of present keys, by RocksDB's statistics of each table. Further lookups, of
  /// absent keys and of present keys each, and wrong, answers that were not the key's. Throws as
  /// KeyValueStore::measure.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
