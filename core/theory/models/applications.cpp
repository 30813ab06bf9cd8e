// Models of applications.

#include "core/theory/applications.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {

Model false_loop() {
  return {"false_loop",
          "P(a packet is taken for one in a loop within so many distinct routers)",
          "probability",
          "derived for this project; exact for ideal hashing (a Markov chain of the set bits)",
          {integer_argument("m", "bits", "filter in the header", 1, 32768),
           integer_argument("k", "probes per key", "positions set for a router", 1, 32768),
           integer_argument("hops", "routers", "distinct routers on the way", 0, 32768)},
          {},
          [](std::span<const ArgumentValue> values) -> Evaluation {
            const auto [m, k, hops] = integers<3>(values);
            return {theory::false_loop(m, k, hops), {}};
          }};
}

Model rotating_filters() {
  return {"rotating_filters",
          "share of new packets taken for duplicates by two filters that take turns",
          "probability",
          "derived for this project; exact for ideal hashing and windows up to 512 packets",
          {m_argument(), k_argument(),
           integer_argument("window", "packets", "packets until the filters turn, even", 2),
           integer_argument("lag", "packets", "packets from one to its duplicate, odd", 1)},
          {"duplicates_missed"},
          [](std::span<const ArgumentValue> values) -> Evaluation {
            const auto [m, k, window, lag] = integers<4>(values);
            const RotatingFilters shares = theory::rotating_filters(m, k, window, lag);
            return {shares.new_dropped, {{"duplicates_missed", shares.duplicates_missed}}};
          }};
}

Model crawl_losses() {
  return {"crawl_losses",
          "pages that a crawl never fetches, of a web graph of preferential links",
          "pages",
          "derived for this project; mean field, with (1-e^(-kR/m))^k",
          {integer_argument("pages", "pages", "pages of the graph", 1, 1e8),
           integer_argument("links", "links", "links to each page, from older ones", 1, 1e6),
           m_argument(), k_argument()},
          {"skipped", "unreached"},
          [](std::span<const ArgumentValue> values) -> Evaluation {
            const auto [pages, links, m, k] = integers<4>(values);
            const CrawlLosses losses = theory::crawl_losses(pages, links, m, k);
            return {losses.skipped + losses.unreached,
                    {{"skipped", losses.skipped}, {"unreached", losses.unreached}}};
          }};
}

Model tree_forwards() {
  return {
      "tree_forwards",
      "extra messages of a query for a document that one leaf of a tree of peers has",
      "messages",
      "derived for this project; exact for ideal hashing",
      {integer_argument("fanout", "peers", "children of a peer", 1, 1e6),
       integer_argument("levels", "links", "links from the root to a leaf", 1, 64),
       integer_argument("documents", "keys", "documents of a leaf", 0, 1e9),
       integer_argument("bits", "bits", "of a link's filter for each document behind it", 1, 4096),
       k_argument()},
      {"absent"},
      [](std::span<const ArgumentValue> values) -> Evaluation {
        const auto [fanout, levels, documents, bits, k] = integers<5>(values);
        const TreeForwards forwards = theory::tree_forwards(fanout, levels, documents, bits, k);
        return {forwards.present, {{"absent", forwards.absent}}};
      }};
}

Model flows_wrongly_admitted() {
  return {
      "flows_wrongly_admitted",
      "flows below a threshold whose smallest counter reaches it, of a Zipf trace",
      "flows",
      "derived for this project; ideal hashing, relative error at most about 2 %",
      {integer_argument("m", "counters", "counters of the filter", 2), k_argument(64),
       integer_argument("flows", "flows", "distinct flows", 1, 1e9),
       integer_argument("largest", "packets", "of the largest flow; rank r: largest / r", 1),
       integer_argument("threshold", "packets", "count from which a flow is admitted", 1, 4096)},
      {},
      [](std::span<const ArgumentValue> values) -> Evaluation {
        const auto [m, k, flows, largest, threshold] = integers<5>(values);
        return {theory::flows_wrongly_admitted(m, k, flows, largest, threshold), {}};
      }};
}

}  // namespace bloomlab::theory::catalogue
