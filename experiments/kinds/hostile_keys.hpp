// Kind `hostile_keys`: what can somebody do to a standard filter who chooses keys? Who knows hash
// and seed finds by search keys that fill it, or absent keys that it reports. Who does not know the
// seed searches under a seed of his own; and for hashes of the Murmur family there are keys that
// collide under every seed, which need no search.
// Source: Gerbet, Kumar, Lauradoux 2015, "The power of evil choices in Bloom filters"; the
// collisions: see murmur_twins.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/kinds/avalanche.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct HostileKeys : OwnGridKind<HostileKeys> {
  static constexpr std::string_view name = "hostile_keys";
  static constexpr std::string_view summary =
      "fill a standard filter with keys that somebody chose, or look them up: what they do to fill "
      "and rate, and what it takes to find them";

  struct Parameters {
    std::uint64_t queries = 0;
    std::uint64_t forged = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries", "absent keys of a trial that nobody chose", 1,
                       1'000'000'000},
          p.queries);
    visit(IntegerField{"forged", "keys",
                       "absent keys of a trial that are chosen to be reported, in the attacks "
                       "positives and multicollision",
                       1, 1'000'000},
          p.forged);
  }

  struct Point {
    static constexpr std::string_view name = "attack";
    static constexpr std::array<std::string_view, 2> keyings = {"known", "secret"};
    static constexpr std::array<std::string_view, 4> attacks = {"none", "fill", "positives",
                                                                "multicollision"};

    /// Whether who chooses the keys knows the filter's seed; else he searches under another one.
    enum class Keying : std::uint32_t { known, secret };
    /// The words of `attacks`.
    enum class Attack : std::uint32_t {
      none,           ///< nobody chooses a key
      fill,           ///< each of the n keys sets k bits that were not set, where they are chosen
      positives,      ///< absent keys that a filter of the same n keys reports
      multicollision  ///< twins of inserted keys, which collide with them under every seed
    };

    struct Parameters {
      std::uint64_t m = 0;
      std::uint64_t k = 0;
      std::uint64_t n = 0;
      Avalanche::Point::Hash hash{};
      Keying keying{};
      Attack attack{};
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"m", "bits", "size of the filter", 8, std::uint64_t{1} << 30}, p.m);
      visit(IntegerField{"k", "probes per key", "independent positions set for a key", 1, 64}, p.k);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, 1'000'000}, p.n);
      visit(ChoiceField{"hash", "hash of the catalogue", Avalanche::hash_names()}, p.hash);
      visit(ChoiceField{"keying", "whether the seed is known to who chooses the keys", keyings},
            p.keying);
      visit(ChoiceField{"attack", "what the keys are chosen for", attacks}, p.attack);
    }
  };

  /// Searches of more expected tries in a trial are refused.
  static constexpr double most_tries = 1e9;
  /// A search gives up after so many times the expected tries, and 10^6 more: the functions of a
  /// poor hash under several seeds may be so alike that the keys it wants do not exist.
  static constexpr double patience = 16.0;

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Keys are integers of 8 bytes; in the attack multicollision the inserted keys are texts, and
  /// where no twins of the hash are known, those of murmur3_128 are sent. `measured`: inserted;
  /// bits and bits_set of the filter; queries of absent keys that nobody chose, and
  /// false_positives among them; chosen, keys that somebody chose; tries, keys that the search for
  /// them hashed; forged, those of the chosen keys that are absent, and reported, those of them
  /// that the filter reports.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
