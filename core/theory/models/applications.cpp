// Models of applications.

#include "core/theory/applications.hpp"

#include "core/theory/catalogue.hpp"
#include "core/theory/models/arguments.hpp"

namespace bloomlab::theory::catalogue {
namespace {

Evaluation evaluate_rotating_filters(std::uint64_t m, std::uint64_t k, std::uint64_t window,
                                     std::uint64_t lag) {
  const RotatingFilters shares = theory::rotating_filters(m, k, window, lag);
  return {shares.new_dropped, {{"duplicates_missed", shares.duplicates_missed}}};
}

Evaluation evaluate_crawl_losses(std::uint64_t pages, std::uint64_t links, std::uint64_t m,
                                 std::uint64_t k) {
  const CrawlLosses losses = theory::crawl_losses(pages, links, m, k);
  return {losses.skipped + losses.unreached,
          {{"skipped", losses.skipped}, {"unreached", losses.unreached}}};
}

Evaluation evaluate_tree_forwards(std::uint64_t fanout, std::uint64_t levels,
                                  std::uint64_t documents, std::uint64_t bits, std::uint64_t k) {
  const TreeForwards forwards = theory::tree_forwards(fanout, levels, documents, bits, k);
  return {forwards.present, {{"absent", forwards.absent}}};
}

Evaluation evaluate_guarded_lookup(double hit_ratio, double fpr, double filter_absent,
                                   double filter_present, double store_absent,
                                   double store_present) {
  const GuardedLookup lookup = theory::guarded_lookup(hit_ratio, fpr, filter_absent, filter_present,
                                                      store_absent, store_present);
  return {lookup.time, {{"break_even", lookup.break_even}}};
}

Evaluation evaluate_chosen_keys(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const ChosenKeys chosen = theory::chosen_keys(m, n, k);
  return {chosen.rate, {{"tries", chosen.tries}}};
}

}  // namespace

Model false_loop() {
  return {"false_loop",
          "P(a packet is taken for one in a loop within so many distinct routers)",
          "probability",
          "derived for this project; exact for ideal hashing (a Markov chain of the set bits)",
          {integer_argument("m", "bits", "filter in the header", 1, 32768),
           integer_argument("k", "probes per key", "positions set for a router", 1, 32768),
           integer_argument("hops", "routers", "distinct routers on the way", 0, 32768)},
          {},
          value_of<theory::false_loop>};
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
          of_arguments<evaluate_rotating_filters>};
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
          of_arguments<evaluate_crawl_losses>};
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
      of_arguments<evaluate_tree_forwards>};
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
      value_of<theory::flows_wrongly_admitted>};
}

Model guarded_lookup() {
  constexpr double longest = 1e15;
  return {"guarded_lookup",
          "mean time of a lookup in a store behind a filter, (1-h)(f_a + p s_a) + h(f_p + s_p)",
          "ns",
          "derived for this project; exact for constant costs",
          {closed_argument("hit_ratio", "", "share of the lookups whose key is there", 0, 1),
           closed_argument("fpr", "probability", "false-positive rate of the filter", 0, 1),
           closed_argument("filter_absent", "ns", "the filter, an absent key", 0, longest),
           closed_argument("filter_present", "ns", "the filter, a present key", 0, longest),
           closed_argument("store_absent", "ns", "the store alone, an absent key", 0, longest),
           closed_argument("store_present", "ns", "the store alone, a present key", 0, longest)},
          {"break_even"},
          of_arguments<evaluate_guarded_lookup>};
}

Model chosen_keys() {
  return {
      "chosen_keys",
      "rate where n keys were chosen to set k new bits each, (kn/m)^k",
      "probability",
      "Gerbet, Kumar, Lauradoux 2015, The power of evil choices in Bloom filters; tries: derived "
      "for this project; exact for ideal hashing",
      {m_argument(), integer_argument("n", "keys", "distinct keys, chosen", 0, 1e7), k_argument()},
      {"tries"},
      of_arguments<evaluate_chosen_keys>};
}

}  // namespace bloomlab::theory::catalogue
