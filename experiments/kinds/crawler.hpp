// Kind `crawler`: a crawl of a web graph whose links follow a power law. The filter says which
// pages were fetched; a page that it reports wrongly is never fetched, nor what is linked from
// there alone.
// Source: Broder, Mitzenmacher 2004, "Network applications of Bloom filters: a survey"; the graph:
// Barabasi, Albert 1999, "Emergence of scaling in random networks".
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct Crawler : SimulatedApplication<Crawler> {
  static constexpr std::string_view name = "crawler";
  static constexpr std::string_view summary =
      "crawl a web graph with a filter of fetched pages; count pages that are lost";

  struct Point {
    static constexpr std::string_view name = "web";

    struct Parameters {
      std::uint64_t pages = 0;
      std::uint64_t links = 0;
      std::uint64_t bits_per_page = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"pages", "pages", "pages of the graph", 2, 20'000'000}, p.pages);
      visit(
          IntegerField{
              "links", "links",
              "links to each page, from older ones in proportion to 1 + the links that these give",
              1, 64},
          p.links);
      visit(
          IntegerField{"bits_per_page", "bits",
                       "size of the filter over the pages, with ln 2 times as many probes", 1, 64},
          p.bits_per_page);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Meets the pages by age, from page 0; every link of a fetched page is looked up. `measured`:
  /// fetched; false_positives, pages that were reported when first met; unreached, pages without a
  /// link from a fetched one; true_positives, further links to fetched pages that were reported,
  /// and false_negatives; true_negatives, first links to pages that were then fetched; most_links
  /// that a page gives; filter_bytes; table_bytes, 8 for each page fetched.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
