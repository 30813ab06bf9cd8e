// Kind `loop_detection`: packets carry a filter of the routers that they passed. A router that
// finds itself in it sees a loop, or a false one.
// Source: Whitaker, Wetherall 2002, "Forwarding without loops in Icarus".
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct LoopDetection : SimulatedApplication<LoopDetection> {
  static constexpr std::string_view name = "loop_detection";
  static constexpr std::string_view summary =
      "pass packets over routers that find themselves in a filter in the header; count false loops";

  struct Parameters {
    std::uint64_t packets = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"packets", "packets", "packets of a trial, each on a route of its own", 1,
                       100'000'000},
          p.packets);
  }

  struct Point {
    static constexpr std::string_view name = "route";

    struct Parameters {
      std::uint64_t header_bits = 0;
      std::uint64_t k = 0;
      std::uint64_t hops = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"header_bits", "bits", "filter in the header", 1, 65536}, p.header_bits);
      visit(IntegerField{"k", "probes per key", "positions of a router", 1, max_probes}, p.k);
      visit(IntegerField{"hops", "routers",
                         "distinct routers on the way, before the first one comes again", 1, 65536},
            p.hops);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Sends every packet over `hops` distinct routers and then to the first of them again.
  /// `measured`: packets; true_negatives, visits of routers that let the packet pass;
  /// false_positives, packets that were taken for looping on the way; of the others,
  /// true_positives, those that the first router recognised, and false_negatives; header_bytes of a
  /// packet; route_bytes, a list of its routers' addresses of 4 bytes.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
