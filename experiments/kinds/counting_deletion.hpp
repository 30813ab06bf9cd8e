// Kind `counting_deletion`: keys are deleted from filters, and the inserted keys that are left are
// looked up. A counting filter is built for it; a plain one, whose bits are shared, is not.
// Sources: Fan, Cao, Almeida, Broder 2000, "Summary cache" (counters); Guo, Liu, Li, Yang 2010,
// "False negative problem of counting Bloom filter" (what a wrong deletion costs).
#pragma once

#include "core/filters/counting.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct CountingDeletion : OwnGridKind<CountingDeletion> {
  static constexpr std::string_view name = "counting_deletion";
  static constexpr std::string_view summary =
      "delete keys from counting filters, rightly and wrongly, and bits from plain ones; ask the "
      "inserted keys that are left";

  struct Parameters {
    std::uint64_t filters = 0;
    std::uint64_t queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"filters", "filters", "filters of one trial, each with keys of its own", 1,
                       1'000'000},
          p.filters);
    visit(
        IntegerField{"queries", "queries", "absent keys offered to each filter", 1, 1'000'000'000},
        p.queries);
  }

  /// What is deleted, and how.
  struct Point {
    static constexpr std::string_view name = "deleting";

    /// Whose keys are deleted.
    enum class Way {
      inserted_keys,  ///< keys that were inserted, each once: the right use
      absent_keys     ///< keys that never were, but that the filter reports: the wrong use
    };
    static constexpr std::array<std::string_view, 2> ways = {"inserted_keys", "absent_keys"};

    /// The number of a word of counters().
    enum class Counters : std::uint32_t {};

    struct Parameters {
      Way way = Way::inserted_keys;
      Counters counters{};
      std::uint64_t m = 0;
      std::uint64_t n = 0;
      std::uint64_t k = 0;
      std::uint64_t deletions = 0;
    };

    /// "none", a plain filter, whose bits are cleared to delete a key; and every overflow policy of
    /// the counting filter with every size of its counters: "saturate_2", ..., "report_16".
    [[nodiscard]] static std::span<const std::string_view> counters();

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"way",
                        "whose keys are deleted: inserted ones, or absent keys that the filter "
                        "reports",
                        ways},
            p.way);
      visit(ChoiceField{"counters",
                        "what becomes of a counter at its largest value, and its bits; none: a "
                        "plain filter, whose bits are cleared",
                        counters()},
            p.counters);
      visit(IntegerField{"m", "counters", "counters (none: bits) of a filter", 1, 1 << 30}, p.m);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, 1 << 30}, p.n);
      visit(IntegerField{"k", "probes per key", "counters of a key", 1, max_probes}, p.k);
      visit(IntegerField{"deletions", "keys", "keys to delete; of inserted keys at most n", 0,
                         1 << 30},
            p.deletions);
    }
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Fills all filters of a trial with keys of the source `uniform` by the hash xxhash3_64 and
  /// independent probes, deletes, and asks. `measured`, summed over the filters: filters; inserted;
  /// deleted (of absent keys: those that the filter reported, at most as many as were to be
  /// deleted); refused (inserted keys to be deleted that a counting filter denied, so that it
  /// changed nothing; bits are cleared unasked); inserted_keys_left, that is inserted and not to be
  /// deleted; inserted_keys_lost, those of them that the filter denies afterwards; overflows; used,
  /// counters (bits) above zero before deleting, and used_after; and for the way inserted keys, of
  /// the absent keys queried after deleting, false_positives and true_negatives.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
