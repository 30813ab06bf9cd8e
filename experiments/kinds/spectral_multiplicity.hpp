// Kind `spectral_multiplicity`: how often was a key inserted? Spectral filters are given streams in
// which keys come equally often or by Zipf's law, and every key's estimate is held against the
// truth.
// Source: Cohen, Matias 2003, "Spectral Bloom filters".
#pragma once

#include "core/filters/spectral.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct SpectralMultiplicity : OwnGridKind<SpectralMultiplicity> {
  static constexpr std::string_view name = "spectral_multiplicity";
  static constexpr std::string_view summary =
      "give streams of repeated keys to spectral filters; compare every key's estimate with truth";

  struct Parameters {
    std::uint64_t filters = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{"filters", "filters",
                     "filters of one trial, each with keys and an order of its own", 1, 1'000'000},
        p.filters);
  }

  /// What is inserted into which filter.
  struct Point {
    static constexpr std::string_view name = "stream";

    /// How often the key of rank r = 1 .. n comes.
    enum class Law {
      equal,  ///< `copies` times
      zipf    ///< floor(c / r) times, at least once; c the largest that needs no more inserts
    };
    static constexpr std::array<std::string_view, 2> laws = {"equal", "zipf"};

    struct Parameters {
      Law law = Law::equal;
      std::uint64_t copies = 0;
      std::uint64_t m = 0;
      std::uint64_t n = 0;
      std::uint64_t k = 0;
      SpectralMethod method = SpectralMethod::minimum_selection;
      std::uint64_t counter_bits = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"law",
                        "how often keys come; zipf: the key of rank r floor(c / r) times, at least "
                        "once, with the largest c for at most n copies inserts",
                        laws},
            p.law);
      visit(IntegerField{"copies", "inserts", "how often a key comes on average; zipf: at most", 1,
                         1 << 20},
            p.copies);
      visit(IntegerField{"m", "counters", "counters of a filter", 1, 1 << 30}, p.m);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, 1 << 24}, p.n);
      visit(IntegerField{"k", "probes per key", "counters of a key", 1, max_probes}, p.k);
      visit(ChoiceField{"method", "how the filter counts", Spectral::methods}, p.method);
      visit(IntegerField{.name = "counter_bits",
                         .unit = "bits",
                         .meaning = "size of a counter",
                         .min = 2,
                         .max = Spectral::max_counter_bits,
                         .fallback = 32},
            p.counter_bits);
    }
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// How often each key comes, by rank.
  [[nodiscard]] static std::vector<std::uint64_t> frequencies(const Point::Parameters& at);

  /// Fills all filters of a trial with keys of the source `uniform` by the hash xxhash3_64 and
  /// independent probes, in an order that is drawn evenly by integers alone. `measured`, summed
  /// over the filters: filters; inserted, repeated keys included; distinct; above and below, keys
  /// whose estimate is too high and too low; excess and shortfall, the sums of those differences.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
