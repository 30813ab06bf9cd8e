// Kind `proxy_caches`: proxies tell each other by filters what they cache. A proxy that misses a
// document asks those whose summary reports it.
// Source: Fan, Cao, Almeida, Broder 2000, "Summary cache: a scalable wide-area web cache sharing
// protocol", IEEE/ACM Transactions on Networking 8(3).
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct ProxyCaches : SimulatedApplication<ProxyCaches> {
  static constexpr std::string_view name = "proxy_caches";
  static constexpr std::string_view summary =
      "share summaries of caches between proxies on a Zipf trace; count false hits, missed hits "
      "and bytes";

  struct Parameters {
    std::uint64_t requests = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{
            "requests", "requests",
            "requests of a trial that are counted, over all proxies, after the caches are full", 1,
            100'000'000},
        p.requests);
  }

  struct Point {
    static constexpr std::string_view name = "proxies";

    struct Parameters {
      std::uint64_t proxies = 0;
      std::uint64_t documents = 0;
      std::uint64_t cached = 0;
      std::uint64_t bits_per_document = 0;
      std::uint64_t update_after = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"proxies", "proxies", "proxies, each with requests of its own", 2, 64},
            p.proxies);
      visit(IntegerField{"documents", "documents", "documents that are requested, by Zipf's law", 2,
                         10'000'000},
            p.documents);
      visit(IntegerField{"cached", "documents",
                         "documents in a cache; the least recently used one goes", 1, 1'000'000},
            p.cached);
      visit(
          IntegerField{
              "bits_per_document", "bits",
              "size of a summary over the documents of a cache, with ln 2 times as many probes", 1,
              64},
          p.bits_per_document);
      visit(IntegerField{"update_after", "documents",
                         "new documents after which a proxy publishes its summary", 1, 1'000'000},
            p.update_after);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Lookups of other proxies' summaries after a local miss, `measured` against their caches:
  /// true_positives; false_positives, in the filter alone, and stale_positives, of documents that
  /// the cache had when the summary was made; false_negatives, documents that came since;
  /// true_negatives. requests; local_hits; false_hits, requests with positive summaries and no
  /// cache that has the document; missed_hits, those that a cache had and no summary of such a one
  /// told; updates; plain_bytes, delta_bytes (the positions that changed, of 32 bits) and
  /// compressed_bytes of all updates to all others.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
