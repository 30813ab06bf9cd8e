// Kind `map_against_filter`: the same texts in a container of a program and in a Bloom filter: the
// memory that each really takes, and what inserting and looking up costs. Every trial is a process
// of its own.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors".
#pragma once

#include "experiments/applications/containers.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct MapAgainstFilter : OwnGridKind<MapAgainstFilter> {
  static constexpr std::string_view name = "map_against_filter";
  static constexpr std::string_view summary =
      "put numbered texts into a container or a filter; count its memory, time inserts and lookups";
  static constexpr bool by_process_runs = true;

  struct Parameters {
    std::uint64_t lookups = 0;
    std::string prefix;
    std::uint64_t repetitions = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{"lookups", "lookups",
                     "lookups of drawn inserted keys, and as many of absent ones", 1, 100'000'000},
        p.lookups);
    visit(TextField{"prefix", "what stands before the number in every key", false, 1000}, p.prefix);
    visit(IntegerField{.name = "repetitions",
                       .unit = "repetitions",
                       .meaning = "of a process run, which the lookups are shared among; keys are "
                                  "inserted once a process run",
                       .min = 1,
                       .max = 1000,
                       .fallback = 10},
          p.repetitions);
  }

  struct Point {
    static constexpr std::string_view name = "structure";
    static constexpr std::array<std::string_view, 5> structures = {
        container_names[0], container_names[1], container_names[2], container_names[3], "filter"};
    static constexpr std::uint32_t filter = 4;

    /// A container, or the filter after them.
    enum class Structure : std::uint32_t {};

    struct Parameters {
      Structure structure{};
      std::uint64_t n = 0;
      std::uint64_t bits_per_key = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"structure", "where the keys are kept", structures}, p.structure);
      visit(IntegerField{"n", "keys", "keys inserted: the prefix and the numbers from 0", 1,
                         std::uint64_t{1} << 32},
            p.n);
      visit(IntegerField{"bits_per_key", "bits",
                         "size of the filter over n, with ln 2 times as many probes; containers "
                         "have none",
                         1, 64, 20},
            p.bits_per_key);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  /// A trial draws which keys are looked up and the seed of the hash anew.
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Absent keys have the numbers from n on. `measured`: inserted; key_bytes, their bytes; the four
  /// counts; m and k (0 of containers); requested_bytes, what the container asked the allocator for
  /// or the filter's array takes. `timing`: insert_ns of all keys, sorting included, one number,
  /// for its repetitions are the process runs; present_ns and absent_ns, a number a repetition, of
  /// its share of the lookups, equal to one lookup; making keys is in none; and heap_bytes, what
  /// the system's allocator gave for it, its own heads and gaps included.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
  /// The same with another set in the place of the filter.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
