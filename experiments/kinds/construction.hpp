// Kind `construction`: what it costs to build a filter from n keys that are at hand, memory and
// all; also for filters that are built at once. Every trial is a process of its own; see
// docs/bench.md.
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/kinds/throughput.hpp"

namespace bloomlab::experiments {

struct Construction : OwnGridKind<Construction> {
  static constexpr std::string_view name = "construction";
  static constexpr std::string_view summary =
      "time building filters from keys at hand, page faults included, a process a trial";
  static constexpr bool by_process_runs = true;

  struct Parameters {
    std::uint64_t absent_keys = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"absent_keys", "queries",
                       "absent keys that each process run asks for the rate", 1,
                       std::uint64_t{1} << 40},
          p.absent_keys);
  }

  /// What is built.
  struct Point {
    static constexpr std::string_view name = "construction";

    struct Parameters {
      Throughput::Point::ImplementationName implementation{};
      Throughput::Point::HashName hash{};
      std::uint64_t n = 0;
      double bits_per_key = 0.0;
      /// One where it is left out, and then left out of the cell too: cells of one thread are named
      /// as they were before there were several, and so draw the same keys.
      std::optional<std::uint64_t> threads = {};
      PageMode pages{};
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"implementation", "a filter, sized by bits per key, or a peer",
                        speed_implementation_names()},
            p.implementation);
      visit(ChoiceField{"hash", "hash of those that take one",
                        Throughput::Point::speed_hash_names(), Throughput::Point::default_hash()},
            p.hash);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, Throughput::Point::max_n}, p.n);
      visit(RealField{"bits_per_key", "bits", "memory a key", 1.0, 1000.0}, p.bits_per_key);
      visit(IntegerField{.name = "threads",
                         .unit = "threads",
                         .meaning = "threads that build the one filter together",
                         .min = 1,
                         .max = 1024,
                         .fallback = 1},
            p.threads);
      visit(ChoiceField{"pages", "pages of memory that the process may have", page_modes(), 0},
            p.pages);
    }
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// One process run: `measured` as `throughput` has it, `timing` with `build_ns`, from nothing to
  /// a filter that answers, and the bracket (see Bracket). Several threads take a share of the keys
  /// each, on processors of their own; the time is from the first one's start to the whole filter.
  /// Keys that a full filter turned away are `refused`.
  /// Throws std::runtime_error where a filter denies more inserted keys than it turned away.
  /// @param tuning of the filter; changes no count
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed, const BatchTuning& tuning = {});
};

}  // namespace bloomlab::experiments
