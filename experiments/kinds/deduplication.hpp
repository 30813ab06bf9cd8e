// Kind `deduplication`: what it costs to drop from a stream the keys that came before, as a crawler
// does with addresses, and how many new ones are dropped with them. Every trial is a process of its
// own; see docs/bench.md.
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/kinds/throughput.hpp"
#include "experiments/speed/pages.hpp"
#include "experiments/speed/stream_implementations.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {

struct Deduplication : OwnGridKind<Deduplication> {
  static constexpr std::string_view name = "deduplication";
  static constexpr std::string_view summary =
      "time telling new keys of a stream from those seen before, a process a trial, with its rate";
  static constexpr bool by_process_runs = true;

  /// A process run takes its stream once: there is nothing to choose.
  /// What is deduplicated, and by what.
  struct Point {
    static constexpr std::string_view name = "deduplication";

    /// The number of an implementation in stream_implementation_names().
    enum class ImplementationName : std::uint32_t {};

    struct Parameters {
      ImplementationName implementation{};
      Throughput::Point::HashName hash{};
      std::uint64_t n = 0;
      double fpr = 0.0;
      double repeated = 0.0;
      KeyLength key_length{};
      PageMode pages{};
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"implementation", "a filter that tells what was known, or a peer",
                        stream_implementation_names()},
            p.implementation);
      visit(ChoiceField{"hash", "hash of those that take one",
                        Throughput::Point::speed_hash_names(), Throughput::Point::default_hash()},
            p.hash);
      visit(IntegerField{"n", "keys", "distinct keys of the stream", 1, Throughput::Point::max_n},
            p.n);
      visit(RealField{"fpr", "",
                      "false-positive rate after n keys that memory is taken for; limits take what "
                      "split_block takes",
                      1e-9, 0.5},
            p.fpr);
      visit(RealField{.name = "repeated",
                      .unit = "",
                      .meaning = "share of the stream's keys that came before; half: no processor "
                                 "guesses which",
                      .min = 0.0,
                      .max = 0.99,
                      .fallback = 0.5},
            p.repeated);
      visit(ChoiceField{"key_length", "bytes of a key; 8: integers, else texts; mixed: 16 to 79",
                        key_lengths(), static_cast<std::size_t>(KeyLength::bytes_53)},
            p.key_length);
      visit(ChoiceField{"pages", "pages of memory that the process may have", page_modes(), 0},
            p.pages);
    }
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes]: the filter and what does not depend on n.
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// One process run. `measured`: `stream` and `repeated`, keys of the stream and those that came
  /// before; `inserted`, the distinct ones; of filters also `true_positives` (all that came before)
  /// and `false_negatives` (0), `false_positives` (new keys that are lost) and `true_negatives`,
  /// `bits`, `bits_set`, and `filter`, the law of the rate; {"available": false} alone where this
  /// build lacks the peer. `timing`: of the whole stream, making its keys alone (`dry_ns`), making
  /// and hashing them (`hash_ns`), making and deduplicating them (`deduplicate_ns`); the bracket
  /// (see Bracket); `present_bytes` and `huge_bytes` of memory. Throws std::runtime_error where a
  /// key that came before is taken for new.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
