// Kind `packet_broadcast`: a node passes every broadcast packet on once. Two filters that take
// turns say which packets it has seen.
// Source: Broder, Mitzenmacher 2004, "Network applications of Bloom filters: a survey"; Chang,
// Feng, Li 2004, "Approximate caches for packet classification".
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct PacketBroadcast : SimulatedApplication<PacketBroadcast> {
  static constexpr std::string_view name = "packet_broadcast";
  static constexpr std::string_view summary =
      "find duplicate packets by two filters that take turns; count new packets dropped and "
      "duplicates missed";

  struct Parameters {
    std::uint64_t packets = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"packets", "packets",
                       "packets of a trial that are counted, after the filters are full", 1,
                       1'000'000'000},
          p.packets);
  }

  struct Point {
    static constexpr std::string_view name = "stream";

    struct Parameters {
      std::uint64_t m = 0;
      std::uint64_t k = 0;
      std::uint64_t window = 0;
      std::uint64_t lag = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"m", "bits", "size of each of the two filters", 1, std::uint64_t{1} << 40},
            p.m);
      visit(IntegerField{"k", "probes per key", "positions of a packet", 1, max_probes}, p.k);
      visit(IntegerField{"window", "packets", "packets until the filters take turns, even", 2,
                         1 << 30},
            p.window);
      visit(IntegerField{"lag", "packets", "packets from one to its duplicate, odd", 1, 1 << 30},
            p.lag);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// New packets and duplicates come in turn; all are inserted. `measured`: the four counts, where
  /// a duplicate that is recognised is a true positive and a new packet that is dropped a false
  /// positive; filter_bytes of both filters; table_bytes, 16 bytes for each distinct packet that
  /// they hold when full.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
