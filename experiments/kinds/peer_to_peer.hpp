// Kind `peer_to_peer`: peers in an overlay that is a tree. Every link has a filter of the documents
// behind it, and a query goes along the links whose filter reports its document.
// Source: Rhea, Kubiatowicz 2002, "Probabilistic location and routing"; Broder, Mitzenmacher 2004,
// "Network applications of Bloom filters: a survey".
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct PeerToPeer : SimulatedApplication<PeerToPeer> {
  static constexpr std::string_view name = "peer_to_peer";
  static constexpr std::string_view summary =
      "route queries over a tree of peers with a filter for every link; count extra messages and "
      "bytes";

  struct Parameters {
    std::uint64_t queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries",
                       "queries of a trial from the root: half for documents of drawn leaves, half "
                       "for absent ones",
                       2, 100'000'000},
          p.queries);
  }

  struct Point {
    static constexpr std::string_view name = "overlay";

    struct Parameters {
      std::uint64_t fanout = 0;
      std::uint64_t levels = 0;
      std::uint64_t documents = 0;
      std::uint64_t bits_per_document = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"fanout", "peers", "children of a peer", 2, 64}, p.fanout);
      visit(IntegerField{"levels", "links", "links from the root to a leaf", 1, 16}, p.levels);
      visit(IntegerField{"documents", "documents", "documents of a leaf", 1, 1'000'000},
            p.documents);
      visit(IntegerField{"bits_per_document", "bits",
                         "size of a link's filter over the documents behind it, with ln 2 times as "
                         "many probes",
                         1, 64},
            p.bits_per_document);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// `measured`, in messages over links: true_positives, towards the document; false_negatives,
  /// queries that did not reach it; extra_present and extra_absent, wrong messages of queries for
  /// documents that are there and that are not, together false_positives; true_negatives, links
  /// that were looked up and not taken; present and absent queries; links; filter_bytes of all
  /// links.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
