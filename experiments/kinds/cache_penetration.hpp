// Kind `cache_penetration`: a cache, Redis, before a slow store, without a filter, with one in
// front, and with one loader at a time for each key. Three scenes: queries of keys that are nowhere
// (cache penetration), a hot key that expires under many queries (cache breakdown), and keys that
// the store gains after the filter was filled. A program of its own starts Redis
// (experiments/store).
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors".
#pragma once

#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct CachePenetration : OwnGridKind<CachePenetration> {
  static constexpr std::string_view name = "cache_penetration";
  static constexpr std::string_view summary =
      "put a filter before a Redis and a slow store: which queries reach the store, and how long "
      "do they take";
  static constexpr bool by_process_runs = true;

  static constexpr std::uint64_t orders = 6;                ///< of the guards that are timed
  static constexpr const char* program = "bloomlab-cache";  ///< what starts Redis

  struct Parameters {
    std::uint64_t queries = 0;
    double attack = 0.0;
    std::uint64_t expiries = 0;
    std::uint64_t repetitions = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries",
                       "counted queries of each guard in the scene penetration", 1, 10'000'000},
          p.queries);
    visit(RealField{.name = "attack",
                    .unit = "probability",
                    .meaning = "that the key of such a query is nowhere",
                    .fallback = 0.9},
          p.attack);
    visit(IntegerField{"expiries", "expiries",
                       "times that the hot key expires for each guard in the scene breakdown", 1,
                       100'000},
          p.expiries);
    visit(IntegerField{.name = "repetitions",
                       .unit = "repetitions",
                       .meaning = "timed, of each guard; a multiple of 6, for the three guards "
                                  "take turns in all six orders",
                       .min = orders,
                       .max = 6000,
                       .fallback = 24},
          p.repetitions);
  }

  struct Point {
    static constexpr std::string_view name = "cache";
    static constexpr std::array<std::string_view, 3> scenes = {"penetration", "breakdown",
                                                               "later_keys"};

    /// The words of `scenes`.
    enum class Scene : std::uint32_t {
      penetration,  ///< most queries are of keys that are in neither cache nor store
      breakdown,    ///< a key expires in the cache, and all clients query it before it is back
      later_keys    ///< the last tenth of the keys comes later; each is queried once
    };

    struct Parameters {
      Scene scene{};
      std::uint64_t n = 0;
      std::uint64_t value_bytes = 0;
      std::uint64_t bits_per_key = 0;
      std::uint64_t clients = 0;
      std::uint64_t service_us = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"scene", "what is queried", scenes}, p.scene);
      visit(IntegerField{"n", "keys", "keys of 16 bytes in the store, in the end", 10, 10'000'000},
            p.n);
      visit(IntegerField{"value_bytes", "bytes", "length of a value", 1, 1 << 20, 100},
            p.value_bytes);
      visit(IntegerField{"bits_per_key", "bits", "size of the filter over n", 1, 24, 10},
            p.bits_per_key);
      visit(IntegerField{"clients", "clients", "that query an expired key at once", 1, 256, 16},
            p.clients);
      visit(IntegerField{"service_us", "us",
                         "that the store takes for a query at least, one at a time, where time is "
                         "measured",
                         0, 100'000, 500},
            p.service_us);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Guards: `none`; `filter`, one in front of the cache that learns every key of the store;
  /// `untold`, one that does not learn the later keys; `loader`, no filter, and of those who query
  /// a key that is not in the cache one goes to the store, the others wait for it. Each begins with
  /// an empty cache and meets the same queries. `measured`: queries; absent, those of keys that are
  /// nowhere; later, keys that the store gained; m and k of the filter; expired, the times that
  /// Redis let a key expire; and of each guard G G_reads, queries that reached the store, G_found,
  /// those of keys that are there, G_misses, what Redis did not find by its statistics, and
  /// G_wrong, answers that were not the key's. `timing`, a number a repetition, nothing in the
  /// scene later_keys: none_ns, filter_ns, loader_ns, until a query of an absent key is answered,
  /// or until the last of all clients has the value of a key that has expired. Throws InputError
  /// where Redis is not installed or fails.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
