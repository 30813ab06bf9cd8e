// Closed forms of applications, against enumeration and limits.
#include "core/theory/applications.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "core/theory/levels.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab::theory;

namespace {

/// P(false loop) by going through all positions of all routers.
double false_loop_enumerated(unsigned m, unsigned k, unsigned hops, unsigned set_bits) {
  if (hops == 0) return 0.0;
  unsigned choices = 1;
  for (unsigned i = 0; i < k; ++i) choices *= m;
  double sum = 0.0;
  for (unsigned choice = 0; choice < choices; ++choice) {
    unsigned key = 0;
    for (unsigned i = 0, rest = choice; i < k; ++i, rest /= m) key |= 1U << (rest % m);
    const bool reported = (key & ~set_bits) == 0;
    sum += reported ? 1.0 : false_loop_enumerated(m, k, hops - 1, set_bits | key);
  }
  return sum / choices;
}

/// False reads of a lookup of an absent key, for real bits a key.
double false_reads(const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& bits) {
  double reads = 0.0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double per_key = static_cast<double>(bits[i]) / static_cast<double>(keys[i]);
    reads += std::exp(-per_key * std::numbers::ln2 * std::numbers::ln2);
  }
  return reads;
}

}  // namespace

TEST_CASE("false loops equal the count of all outcomes", "[theory][applications]") {
  for (const unsigned m : {1U, 2U, 3U, 5U}) {
    for (const unsigned k : {1U, 2U}) {
      for (const unsigned hops : {0U, 1U, 2U, 3U}) {
        CAPTURE(m, k, hops);
        CHECK(false_loop(m, k, hops) ==
              Approx(false_loop_enumerated(m, k, hops, 0)).epsilon(1e-12).margin(1e-15));
      }
    }
  }
  CHECK(false_loop(64, 4, 1) == 0.0);
  CHECK_THROWS_AS(false_loop(0, 4, 1), DomainError);
  CHECK_THROWS_AS(false_loop(64, 4, 20000), DomainError);
}

TEST_CASE("rotating filters forget behind their window", "[theory][applications]") {
  CHECK(rotating_filters(1000, 4, 100, 99).duplicates_missed == 0.0);
  CHECK(rotating_filters(1 << 24, 4, 100, 151).duplicates_missed == Approx(0.5).epsilon(1e-9));
  CHECK(rotating_filters(1 << 24, 4, 1000, 1101).duplicates_missed == Approx(0.1).epsilon(1e-9));
  // The second of two packets: the current filter holds a new one, the former one two or three.
  CHECK(rotating_filters(64, 3, 2, 5).duplicates_missed ==
        Approx((1 - exact_fpr(64, 1, 3)) * (1 - exact_fpr(64, 2, 3))).epsilon(1e-12));
  CHECK(rotating_filters(1 << 24, 4, 100, 201).duplicates_missed == Approx(1.0).epsilon(1e-9));
  // One pair a window: new packets meet an empty current filter and a former one of two packets.
  CHECK(rotating_filters(64, 3, 2, 3).new_dropped == Approx(exact_fpr(64, 2, 3)).epsilon(1e-12));
  CHECK(rotating_filters(64, 3, 2, 1).new_dropped == Approx(exact_fpr(64, 1, 3)).epsilon(1e-12));
  // 256 places stand for all of a long window.
  CHECK(rotating_filters(40000, 4, 1024, 101).new_dropped ==
        Approx(rotating_filters(20000, 4, 512, 51).new_dropped).epsilon(1e-2));
  CHECK_THROWS_AS(rotating_filters(64, 3, 3, 1), DomainError);
  CHECK_THROWS_AS(rotating_filters(64, 3, 2, 2), DomainError);
}

TEST_CASE("a crawl of one link a page loses as a tree does", "[theory][applications]") {
  // Two pages: the second is met, and skipped with the rate of one fetched page.
  const CrawlLosses two = crawl_losses(2, 1, 10, 1);
  CHECK(two.unreached == 0.0);
  CHECK(two.skipped == Approx(-std::expm1(-0.1)).epsilon(1e-12));
  // Three: with page 1 fetched all weight is on fetched pages; with it skipped, 2 of 3.
  const double rate = two.skipped;
  const CrawlLosses three = crawl_losses(3, 1, 10, 1);
  CHECK(three.unreached == Approx(rate / 3).epsilon(1e-12));
  // Four: the mean weight of what is fetched, of all that there is then.
  const double share = (3 - rate) / 3;
  const double third_rate = -std::expm1(-0.1 * 2);
  const double weight = 3 - rate + share + share * (1 - third_rate);
  CHECK(crawl_losses(4, 1, 10, 1).unreached == Approx(rate / 3 + 1 - weight / 5).epsilon(1e-12));
  const CrawlLosses large = crawl_losses(1000, 1, 1 << 30, 7);
  CHECK(large.skipped + large.unreached < 1e-6);
  CHECK(crawl_losses(1000, 4, 4000, 3).unreached < crawl_losses(1000, 1, 4000, 3).unreached);
  CHECK_THROWS_AS(crawl_losses(10, 0, 10, 1), DomainError);
}

TEST_CASE("messages astray add up over the levels", "[theory][applications]") {
  const double leaf = exact_fpr(8 * 5, 5, 3);
  CHECK(tree_forwards(4, 1, 5, 8, 3).present == Approx(3 * leaf).epsilon(1e-12));
  CHECK(tree_forwards(4, 1, 5, 8, 3).absent == Approx(4 * leaf).epsilon(1e-12));
  const double inner = exact_fpr(8 * 10, 10, 3);
  CHECK(tree_forwards(2, 2, 5, 8, 3).absent == Approx(2 * inner + 4 * inner * leaf).epsilon(1e-12));
  CHECK(tree_forwards(2, 2, 5, 8, 3).present ==
        Approx(inner + 2 * inner * leaf + leaf).epsilon(1e-12));
  CHECK_THROWS_AS(tree_forwards(2, 0, 5, 8, 3), DomainError);
}

TEST_CASE("flows are admitted by the load of their counters", "[theory][applications]") {
  // Flows of one packet: any other flow in the counter lifts it to two.
  CHECK(flows_wrongly_admitted(100, 1, 50, 1, 2) ==
        Approx(-50 * std::expm1(49 * std::log1p(-0.01))).epsilon(1e-12));
  CHECK(flows_wrongly_admitted(100, 1, 50, 1, 1) == 0.0);
  // To three it takes two others: 1 - P(0) - P(1) of Binomial(49, 0.01).
  const double none = std::pow(0.99, 49);
  CHECK(flows_wrongly_admitted(100, 1, 50, 1, 3) ==
        Approx(50 * (1.0 - none - 49 * 0.01 * std::pow(0.99, 48))).epsilon(1e-12));
  // Ranks 1, 2, 3 of the largest 2 send 2, 1, 1: to three, a flow of one needs the flow of two, and
  // the flow of two needs any of the others.
  const double q = 0.1;
  CHECK(flows_wrongly_admitted(10, 1, 3, 2, 3) ==
        Approx(1.0 - std::pow(1.0 - q, 2) + 2 * q).epsilon(1e-12));
  // Of two flows the second, of 2 packets, reaches 3 where it meets the first, of 5.
  CHECK(flows_wrongly_admitted(10, 1, 2, 5, 3) == Approx(0.1));
  CHECK_THROWS_AS(flows_wrongly_admitted(1, 1, 3, 2, 3), DomainError);
  CHECK_THROWS_AS(flows_wrongly_admitted(10, 1, 3, 2, 5000), DomainError);
  CHECK_THROWS_AS(flows_wrongly_admitted(10, 65, 3, 2, 3), DomainError);
  CHECK_THROWS_AS(flows_wrongly_admitted(10, 4, 4, 1, 5), DomainError);  // too few flows
}

TEST_CASE("small flows are admitted as often as a trace of counters admits them",
          "[theory][applications]") {
  struct Trace {
    std::uint64_t m, k, flows, largest, threshold;
  };
  // Few counters reach the threshold; probes that share a counter, and flows of all sizes.
  for (const Trace& at :
       {Trace{100, 2, 20, 1, 4}, Trace{100, 2, 20, 10, 4}, Trace{50, 3, 30, 20, 6},
        Trace{40, 8, 12, 6, 5}, Trace{200, 4, 100, 30, 10}, Trace{300, 2, 1000, 100, 50}}) {
    CAPTURE(at.m, at.k, at.flows, at.largest, at.threshold);
    const std::uint64_t traces = 4'000'000 / (at.k * at.flows);
    std::mt19937_64 random(20391);
    std::vector<std::uint64_t> counters(at.m), places(at.k * at.flows);
    double sum = 0.0, squares = 0.0;
    for (std::uint64_t trace = 0; trace < traces; ++trace) {
      std::fill(counters.begin(), counters.end(), 0);
      const auto packets = [&](std::uint64_t flow) {
        return std::max<std::uint64_t>(1, at.largest / (flow + 1));
      };
      for (std::uint64_t i = 0; i < places.size(); ++i) {
        places[i] = random() % at.m;
        counters[places[i]] += packets(i / at.k);
      }
      double wrong = 0.0;
      for (std::uint64_t flow = 0; flow < at.flows; ++flow) {
        std::uint64_t count = counters[places[flow * at.k]];
        for (std::uint64_t i = 1; i < at.k; ++i) {
          count = std::min(count, counters[places[flow * at.k + i]]);
        }
        if (packets(flow) < at.threshold && count >= at.threshold) wrong += 1.0;
      }
      sum += wrong;
      squares += wrong * wrong;
    }
    const double trials = static_cast<double>(traces);
    const double mean = sum / trials;
    const double error = std::sqrt((squares / trials - mean * mean) / trials);
    // Four standard errors: by chance once in 2600 for all six; and what the closed form leaves.
    CHECK(flows_wrongly_admitted(at.m, at.k, at.flows, at.largest, at.threshold) ==
          Approx(mean).margin(4.0 * error + 0.02 * mean));
  }
}

TEST_CASE("a lookup behind a filter costs what its parts do", "[theory][applications]") {
  // 1000 lookups, 600 of them of keys that are there; of 400 absent ones 100 get by.
  const GuardedLookup mixed = guarded_lookup(0.6, 0.25, 3.0, 5.0, 100.0, 200.0);
  CHECK(mixed.time == Approx((400 * 3.0 + 600 * 5.0 + 100 * 100.0 + 600 * 200.0) / 1000));
  // At the break-even a lookup costs what it costs without the filter.
  const double at = mixed.break_even;
  CHECK(guarded_lookup(at, 0.25, 3.0, 5.0, 100.0, 200.0).time ==
        Approx((1 - at) * 100.0 + at * 200.0));
  CHECK(at == Approx(72.0 / 77.0));
  CHECK(guarded_lookup(0.0, 0.25, 75.0, 5.0, 100.0, 200.0).break_even == 0.0);  // always too dear
  CHECK(guarded_lookup(0.0, 0.25, 3.0, 0.0, 100.0, 200.0).break_even == 1.0);   // never
  CHECK(guarded_lookup(0.3, 1.0, 0.0, 0.0, 100.0, 200.0).time == Approx(130.0));
  CHECK_THROWS_AS(guarded_lookup(1.1, 0.0, 1.0, 1.0, 1.0, 1.0), DomainError);
  CHECK_THROWS_AS(guarded_lookup(0.5, -0.1, 1.0, 1.0, 1.0, 1.0), DomainError);
  CHECK_THROWS_AS(guarded_lookup(0.5, 0.1, 1.0, -1.0, 1.0, 1.0), DomainError);
}

TEST_CASE("chosen keys set k new bits each, and the last ones are the hardest to find",
          "[theory][applications]") {
  const ChosenKeys full = chosen_keys(4, 2, 2);
  CHECK(full.rate == 1.0);
  // 4/4 4/3 tries for the first key, 4/2 4/1 for the second.
  CHECK(full.tries == Approx(4.0 / 3 + 8));
  const ChosenKeys usual = chosen_keys(10'000, 1000, 7);
  CHECK(usual.rate == Approx(0.0823543));
  // Against the integral of m/k (1-f)^-k over the fill f.
  CHECK(usual.tries == Approx(10'000.0 / 7 * (std::pow(0.3, -6) - 1) / 6).epsilon(0.01));
  CHECK(usual.rate > 10 * exact_fpr(10'000, 1000, 7));
  CHECK(chosen_keys(8, 0, 3).rate == 0.0);
  CHECK(chosen_keys(8, 0, 3).tries == 0.0);
  CHECK_THROWS_WITH(chosen_keys(10, 4, 3), "n keys of k new bits each need m >= n k bits");
  CHECK_THROWS_AS(chosen_keys(10, 1, 0), DomainError);
}

TEST_CASE("levels have the keys that their ratio gives them", "[levels]") {
  using Keys = std::vector<std::uint64_t>;
  CHECK(keys_of_levels(1111, 4, 10) == Keys{1, 10, 100, 1000});
  CHECK(keys_of_levels(100, 3, 2) == Keys{14, 28, 58});
  CHECK_THROWS_AS(keys_of_levels(1110, 4, 10), DomainError);
  CHECK(equal_bits({14, 28, 58}, 1009) == Keys{141, 282, 585});
}

TEST_CASE("no other split of the bits among levels has fewer false reads", "[levels]") {
  const std::vector<std::uint64_t> keys = {30, 300, 3000};
  for (const std::uint64_t bits : {100U, 1000U, 5000U, 33'300U}) {
    INFO(bits << " bits");
    const auto best = best_bits(keys, bits);
    const std::uint64_t given = std::accumulate(best.begin(), best.end(), std::uint64_t{0});
    CHECK(given <= bits);
    CHECK(given + keys.size() >= bits);
    // Moving a part of the bits, more than rounding down left, makes it worse.
    const std::uint64_t part = bits / 50;
    for (std::size_t from = 0; from < keys.size(); ++from) {
      for (std::size_t to = 0; to < keys.size(); ++to) {
        if (from == to || best[from] < part) continue;
        auto other = best;
        other[from] -= part;
        other[to] += part;
        CHECK(false_reads(keys, other) > false_reads(keys, best));
      }
    }
    CHECK(false_reads(keys, best) < false_reads(keys, equal_bits(keys, bits)));
  }
  CHECK(best_bits(keys, 100).back() == 0);  // where bits are few the largest level has none
}

TEST_CASE("bits for so many false reads give as many", "[levels]") {
  const std::vector<std::uint64_t> keys = keys_of_levels(1'000'000, 4, 10);
  for (const double reads : {2.5, 1.0, 0.1, 0.001}) {
    const std::uint64_t bits = bits_for_reads(keys, reads);
    CHECK(false_reads(keys, best_bits(keys, bits)) == Approx(reads).epsilon(1e-4));
  }
}

TEST_CASE("the first level has a key or more, the last one what is left", "[levels]") {
  using Keys = std::vector<std::uint64_t>;
  CHECK(keys_of_levels(7, 3, 2) == Keys{1, 2, 4});
  CHECK(keys_of_levels(13, 3, 2) == Keys{1, 3, 9});
  CHECK(keys_of_levels(14, 3, 2) == Keys{2, 4, 8});
  CHECK(keys_of_levels(3, 2, 2) == Keys{1, 2});
  CHECK_THROWS_WITH(keys_of_levels(6, 3, 2),
                    "6 keys are too few for 3 levels, each 2 times the one above; give fewer "
                    "levels");
  CHECK(equal_bits({1, 2, 4}, 70) == Keys{10, 20, 40});
  CHECK(equal_bits({1, 2, 4}, 69) == Keys{9, 19, 39});
  // Level by level in proportion to its keys: equal rates cost equal bits a key.
  CHECK(best_bits({5, 5}, 100) == Keys{50, 50});
}

TEST_CASE("rotating filters hold the packets that a window of them has", "[theory][applications]") {
  // Every second packet is new, the others repeat the one `lag` before.
  for (const std::uint64_t window : {2U, 4U, 10U, 64U}) {
    for (const std::uint64_t lag : {1U, 3U, 9U, 11U, 25U, 63U, 65U, 67U, 101U, 151U}) {
      CAPTURE(window, lag);
      const std::uint64_t m = 8 * window;
      const std::uint64_t begin = 1000 * window;
      std::set<std::uint64_t> held;
      std::vector<double> passed;  // a packet that no filter holds, by the current one
      double forgotten = 0.0;
      for (std::uint64_t place = 0; place < window; ++place) {
        passed.push_back(1.0 - exact_fpr(m, held.size(), 3));
        held.insert(place % 2 == 0 ? begin + place : begin + place - lag);
      }
      const double by_former = 1.0 - exact_fpr(m, held.size(), 3);
      double dropped = 0.0;
      for (std::uint64_t place = 0; place < window; ++place) {
        const double both = passed[place] * by_former;
        if (place % 2 == 0) dropped += 1.0 - both;
        if (place % 2 == 1 && begin + place - lag < begin - window) forgotten += both;
      }
      const double pairs = static_cast<double>(window) / 2.0;
      const RotatingFilters found = rotating_filters(m, 3, window, lag);
      CHECK(found.new_dropped == Approx(dropped / pairs).epsilon(1e-11));
      CHECK(found.duplicates_missed == Approx(forgotten / pairs).epsilon(1e-11));
    }
  }
}
