// Closed forms of applications: what a filter's false positives come to in a packet's header, among
// duplicate packets, on a crawl, in an overlay, in counts of flows and before a store. Ideal
// hashing everywhere.
//
// Domain: m >= 1, k >= 1, else DomainError.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// P(a packet that passes `hops` distinct routers is taken for one in a loop): each router looks
/// for itself in the header's m bits and then sets its k positions.
/// Exact: the number of set bits is a Markov chain. A draw meets a new bit with probability
/// (m - x)/m; a router whose k draws all meet set bits, (x/m)^k, ends the packet. m, k hops <=
/// 2^16. Derived for this project; the setting: Whitaker, Wetherall 2002, "Forwarding without loops
/// in Icarus".
[[nodiscard]] double false_loop(std::uint64_t m, std::uint64_t k, std::uint64_t hops);

/// Duplicate packets in two filters of m bits that take turns.
struct RotatingFilters {
  double new_dropped = 0.0;        ///< share of new packets that are taken for duplicates
  double duplicates_missed = 0.0;  ///< share of duplicates that are taken for new
};

/// Packets come in turn as a new one and as the duplicate of the new one `lag` packets ago. All are
/// inserted into the current filter, and a packet is a duplicate where the current or the former
/// filter reports it; after `window` packets the current one becomes the former one, and an empty
/// one with another seed the current one. @param window even, @param lag odd.
/// Averages 1 - (1 - f(a))(1 - f(b)) over the places u in a window, where the current filter holds
/// a(u) distinct packets and the former one b; a duplicate is forgotten where its packet is two
/// filters back, u < lag - window. Exact, but for windows above 512, where it is averaged over 256
/// even places. Derived for this project; the filters: Chang, Feng, Li 2004, "Approximate caches
/// for packet classification".
[[nodiscard]] RotatingFilters rotating_filters(std::uint64_t m, std::uint64_t k,
                                               std::uint64_t window, std::uint64_t lag);

/// Pages that a crawl never fetches.
struct CrawlLosses {
  double skipped = 0.0;    ///< reported as fetched when first met
  double unreached = 0.0;  ///< linked from none that was fetched
};

/// Pages 1, 2, ... each get `links` links from older pages, drawn in proportion to 1 + the links
/// these already give (page 0 is the start). They are met by age; the filter holds what was
/// fetched. With S of the weight W on fetched pages and R pages met, page i is met with
/// probability 1 - (1 - S/W)^links and then skipped with (1 - e^(-kR/m))^k, for a
/// skipped page would set no bit that is not set. One recurrence a page;
/// for one link the expectations are exact but for the rate, for more the mean field.
/// Derived for this project; the graph: Barabasi, Albert 1999, "Emergence of scaling in random
/// networks".
[[nodiscard]] CrawlLosses crawl_losses(std::uint64_t pages, std::uint64_t links, std::uint64_t m,
                                       std::uint64_t k);

/// Extra messages of one query that goes from the root of a tree along those links whose filter
/// reports it.
struct TreeForwards {
  double present = 0.0;  ///< beside the path to the one leaf that has the document
  double absent = 0.0;   ///< where no leaf has it
};

/// Every inner peer has `fanout` children, every leaf `documents`, `levels` links below the root;
/// the filter of a link has `bits` a document behind it. Level j: rate f_j. Absent: sum_j fanout^j
/// f_1 ... f_j; present: the same below each of the fanout - 1 other children along the path.
/// Exact by linearity of the mean, where links have seeds of their own. Derived for this project;
/// the filters: Rhea, Kubiatowicz 2002, "Probabilistic location and routing".
[[nodiscard]] TreeForwards tree_forwards(std::uint64_t fanout, std::uint64_t levels,
                                         std::uint64_t documents, std::uint64_t bits,
                                         std::uint64_t k);

/// Expected number of flows below `threshold` packets whose count in m counters reaches it. The
/// flow of rank r = 1 .. flows sends max(1, floor(largest / r)) packets; each raises the counters
/// of all k probes, one that c probes share by c, and a flow's count is its smallest counter. Law
/// of one counter's load by other flows: the product over them of (1 + (z^packets - 1)/m)^k, whose
/// first coefficients are multiplied out. Summed over the ways in which the k probes share
/// counters; the loads of two counters are independent but for the first order of what one draw
/// cannot bring to both, the correction. Its relative error is about half the square of the
/// correction's share, which is at most 1/5 of the whole: fewer flows are no domain.
/// k <= 64, threshold <= 4096. Derived for this project; the filter: Estan, Varghese 2002, "New
/// directions in traffic measurement and accounting".
[[nodiscard]] double flows_wrongly_admitted(std::uint64_t m, std::uint64_t k, std::uint64_t flows,
                                            std::uint64_t largest, std::uint64_t threshold);

/// A lookup behind a filter, in the unit of the costs.
struct GuardedLookup {
  double time = 0.0;        ///< mean
  double break_even = 0.0;  ///< hit ratio from which on the filter costs more than it saves
};

/// A share `hit_ratio` of the lookups is of keys that the store has, and the filter lets by a share
/// `fpr` of the others: (1 - hit_ratio) (filter_absent + fpr store_absent) + hit_ratio
/// (filter_present + store_present). The break-even is 0 where the filter never saves, and 1 where
/// it never costs more. Costs >= 0, and shares in [0, 1]. Linear in both: exact where the costs are
/// constants. Derived for this project; the setting: Bloom 1970.
[[nodiscard]] GuardedLookup guarded_lookup(double hit_ratio, double fpr, double filter_absent,
                                           double filter_present, double store_absent,
                                           double store_present);

/// What somebody reaches who knows the hash of a filter and chooses its keys.
struct ChosenKeys {
  double rate;   ///< false-positive rate for keys that nobody chose
  double tries;  ///< keys that were hashed until all n were found, expected
};

/// A filter whose n keys were each chosen to set k bits that were not set: exactly kn of m are, and
/// the rate is (kn/m)^k. Of keys tried in any order, one of k independent positions sets k new bits
/// beside X set ones with probability (m-X)(m-X-1)..(m-X-k+1) / m^k.
/// @return takes a time in proportion to kn. Throws DomainError where m or k is 0, or kn > m.
/// Source of the rate: Gerbet, Kumar, Lauradoux 2015, "The power of evil choices in Bloom filters".
[[nodiscard]] ChosenKeys chosen_keys(std::uint64_t m, std::uint64_t n, std::uint64_t k);

}  // namespace bloomlab::theory
