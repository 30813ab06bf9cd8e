// Kind `throughput`: what it costs to insert and to ask, for every filter and for the peers it is
// measured beside. Every trial is a process of its own; see docs/bench.md for the protocol.
#pragma once

#include <filesystem>

#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/foreign_fields.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "experiments/speed/called_filters.hpp"
#include "experiments/speed/pages.hpp"
#include "experiments/speed/regime.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {

struct Throughput : OwnGridKind<Throughput> {
  static constexpr std::string_view name = "throughput";
  static constexpr std::string_view summary =
      "time inserts and lookups of filters and peers, a process a trial, with their rate";
  static constexpr bool by_process_runs = true;

  static constexpr std::uint64_t distinct_structured_keys = std::uint64_t{1} << 32;

  struct Parameters {
    std::uint64_t queries = 0;      ///< of a repetition and thread
    std::uint64_t repetitions = 0;  ///< of every loop of a process run
    std::uint64_t warm_up = 0;      ///< repetitions before them, not counted
    std::uint64_t absent_keys = 0;  ///< asked at least, for the rate
    /// Of keys i << 32 | i, asked for their rate; none where it is left out.
    std::optional<std::uint64_t> structured_keys = {};
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries", "fresh keys asked in one repetition by one thread",
                       1024, std::uint64_t{1} << 32},
          p.queries);
    visit(IntegerField{"repetitions", "repetitions", "of every loop, in each process run", 1, 1000},
          p.repetitions);
    visit(IntegerField{"warm_up", "repetitions", "run before them and not counted", 0, 1000},
          p.warm_up);
    visit(
        IntegerField{
            "absent_keys", "queries",
            "absent keys that each process run asks at least, so that its rate is told well; "
            "those beyond the timed ones are not timed",
            1, std::uint64_t{1} << 40},
        p.absent_keys);
    visit(IntegerField{"structured_keys", "queries",
                       "absent keys i << 32 | i that each process run asks, untimed, of another "
                       "filter that holds n such keys; i counts on from a number that the trial "
                       "draws; left out: no such filter",
                       1, distinct_structured_keys},
          p.structured_keys);
  }

  /// What is timed.
  struct Point {
    static constexpr std::string_view name = "speed";

    /// The number of an implementation in speed_implementation_names(), of a hash in the catalogue.
    enum class ImplementationName : std::uint32_t {};
    enum class HashName : std::uint32_t {};

    struct Parameters {
      ImplementationName implementation{};
      HashName hash{};
      std::uint64_t n = 0;
      double bits_per_key = 0.0;
      KeyLength key_length{};
      std::uint64_t threads = 0;
      Regime regime{};
      std::uint64_t rotation = 0;
      PageMode pages{};
      /// As the tuning has it where it is left out, and then left out of the cell too.
      std::optional<std::uint64_t> lookahead = {};
      /// None where it is left out, and then left out of the cell too.
      std::optional<std::uint64_t> keys_per_call = {};
      /// What the implementations "library" and "command" are; others pass them over.
      std::optional<ForeignLibraryFields::Parameters> library = {};
      std::optional<ForeignCommandFields::Parameters> command = {};
      std::filesystem::path folder = {};  ///< where paths of these start; no part of the cell
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"implementation", "a filter, sized by bits per key, or a peer",
                        speed_implementation_names()},
            p.implementation);
      visit(ChoiceField{"hash", "hash of those that take one", speed_hash_names(), default_hash()},
            p.hash);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, max_n}, p.n);
      visit(RealField{"bits_per_key", "bits", "memory a key", 1.0, 1000.0}, p.bits_per_key);
      visit(ChoiceField{"key_length", "bytes of a key; 8: integers, else texts; mixed: 16 to 79",
                        key_lengths(), 0},
            p.key_length);
      visit(IntegerField{.name = "threads",
                         .unit = "threads",
                         .meaning = "threads that ask the one filter at once",
                         .min = 1,
                         .max = 1024,
                         .fallback = 1},
            p.threads);
      visit(ChoiceField{"regime",
                        "batched: many keys at once; dependent: a key at a time, its place known "
                        "after the answer before; cold: a key at a time, many filters in rotation",
                        regimes(), 0},
            p.regime);
      visit(IntegerField{.name = "rotation",
                         .unit = "filters",
                         .meaning = "filters of n keys each, asked in turn; more than 1 is cold",
                         .min = 1,
                         .max = 1'000'000,
                         .fallback = 1},
            p.rotation);
      visit(ChoiceField{"pages", "pages of memory that the process may have", page_modes(), 0},
            p.pages);
      visit(IntegerField{.name = "lookahead",
                         .unit = "keys",
                         .meaning = "keys between asking for memory and using it, 0: no asking; "
                                    "left out: by the size of the filter, as this machine was "
                                    "calibrated or as built in",
                         .min = 0,
                         .max = max_lookahead},
            p.lookahead);
      visit(IntegerField{.name = "keys_per_call",
                         .unit = "keys",
                         .meaning = "keys of one call of the class that programs embed, "
                                    "KeyedFilter, 1: the inlined path of one key; what takes one "
                                    "key at a time is called for each; left out: batches",
                         .min = 1,
                         .max = max_keys_per_call},
            p.keys_per_call);
      visit(ObjectField<ForeignLibraryFields>{"library", "what that implementation is"}, p.library);
      visit(ObjectField<ForeignCommandFields>{"command", "what that implementation is"}, p.command);
    }

    static constexpr std::uint64_t max_n = std::uint64_t{1} << 36;
    static std::span<const std::string_view> speed_hash_names();
    /// The one of `speed_hash`.
    static std::size_t default_hash();
    /// @param tuning where the point has no lookahead of its own
    static SpeedSetup setup(const Parameters& at, const BatchTuning& tuning = {});
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// One process run. `measured`: counts of all absent keys and inserted keys that were asked, the
  /// state of the filter, and `filter`, the law of its rate, where it has one, then also
  /// `structured_false_positives` and `structured_true_negatives` of structured keys;
  /// {"available": false} alone where this build lacks the peer. `timing`: durations of n inserts
  /// (`insert_ns`), and of one repetition a number for absent keys, a mix of halves, inserted keys
  /// and the dry loop
  /// (`negative_ns`, `mixed_ns`, `positive_ns`, `dry_ns`), as a thread took them; the bracket's
  /// loops (see Bracket); `present_bytes` and `huge_bytes` of memory, `lookahead` in keys where
  /// there is one. Inserts are made by one thread. Throws std::runtime_error where a filter denies
  /// an inserted key.
  /// @param tuning of the filters, where the point does not say it; changes no count
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed, const BatchTuning& tuning = {});
};

}  // namespace bloomlab::experiments
