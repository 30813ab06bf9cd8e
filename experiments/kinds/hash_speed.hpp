// Kind `hash_speed`: what it costs to hash a key, by hash and length. Every trial is a process of
// its own; see docs/bench.md for the protocol.
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/kinds/throughput.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {

struct HashSpeed : OwnGridKind<HashSpeed> {
  static constexpr std::string_view name = "hash_speed";
  static constexpr std::string_view summary = "time hashes by length of key, a process a trial";
  static constexpr bool by_process_runs = true;

  struct Parameters {
    std::uint64_t queries = 0;      ///< keys of a repetition
    std::uint64_t repetitions = 0;  ///< of a process run
    std::uint64_t warm_up = 0;      ///< repetitions before them, not counted
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "keys", "fresh keys hashed in one repetition", 1024,
                       std::uint64_t{1} << 32},
          p.queries);
    visit(IntegerField{"repetitions", "repetitions", "in each process run", 1, 1000},
          p.repetitions);
    visit(IntegerField{"warm_up", "repetitions", "run before them and not counted", 0, 1000},
          p.warm_up);
  }

  /// What is timed.
  struct Point {
    static constexpr std::string_view name = "hash";

    struct Parameters {
      Throughput::Point::HashName hash{};
      KeyLength key_length{};
      std::uint64_t words = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"hash", "hash of the catalogue", Throughput::Point::speed_hash_names()},
            p.hash);
      visit(ChoiceField{"key_length", "bytes of a key; 8: integers, else texts; mixed: 16 to 79",
                        key_lengths()},
            p.key_length);
      visit(
          IntegerField{.name = "words",
                       .unit = "words",
                       .meaning = "64-bit words of digest a key, by as few evaluations as it takes",
                       .min = 1,
                       .max = 64,
                       .fallback = 1},
          p.words);
    }
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// One process run. `measured`: `hashed`, the keys of all repetitions, `key_bytes`, their bytes,
  /// and `digests`, the exclusive or of all digests' words. `timing`: `hash_ns`, a number a
  /// repetition, `read_ns`, the same for only reading the keys, and the bracket (see Bracket).
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
