#include "core/theory/applications.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

void require_application(bool holds, const char* what) {
  if (!holds) throw DomainError(what);
}

double real(std::uint64_t number) { return static_cast<double>(number); }

/// One more draw for every number of set bits.
void draw_position(std::span<double> set_bits, double m) {
  for (std::size_t x = set_bits.size(); x-- > 0;) {
    const double fewer = x == 0 ? 0.0 : set_bits[x - 1] * (m - real(x - 1)) / m;
    set_bits[x] = set_bits[x] * real(x) / m + fewer;
  }
}

/// Multiplies the first coefficients by those of (1 + (z^size - 1)/m)^draws.
void add_load(std::vector<double>& law, std::uint64_t size, double draws, double m) {
  double factor = std::exp(draws * std::log1p(-1.0 / m));
  std::vector<double> times;  // P(this size falls into the counter 0, 1, ... times)
  for (std::uint64_t count = 0; count * size < law.size(); ++count) {
    times.push_back(factor);
    factor *= (draws - real(count)) / (real(count) + 1.0) / (m - 1.0);
    if (factor <= 0.0) break;
  }
  for (std::size_t load = law.size(); load-- > 0;) {
    double sum = 0.0;
    for (std::size_t count = 0; count < times.size() && count * size <= load; ++count) {
      sum += times[count] * law[load - count * size];
    }
    law[load] = sum;
  }
}

/// Divides the first coefficients by those of (1 + (z^size - 1)/m)^draws.
void remove_load(std::vector<double>& law, std::uint64_t size, std::uint64_t draws, double m) {
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    for (std::size_t load = 0; load < law.size(); ++load) {
      const double fewer = load < size ? 0.0 : law[load - size];
      law[load] = std::max(0.0, (law[load] - fewer / m) / (1.0 - 1.0 / m));
    }
  }
}

/// How many flows send so many packets; those from the threshold on stand at its place.
std::vector<double> flows_of_sizes(std::uint64_t flows, std::uint64_t largest,
                                   std::uint64_t threshold) {
  std::vector<double> sizes(static_cast<std::size_t>(threshold) + 1, 0.0);
  // Ranks of equal size follow each other: largest / rank is the same up to largest / packets.
  for (std::uint64_t rank = 1; rank <= flows;) {
    const std::uint64_t packets = std::min(threshold, std::max<std::uint64_t>(1, largest / rank));
    const std::uint64_t last = packets == 1 ? flows : std::min(flows, largest / packets);
    sizes[static_cast<std::size_t>(packets)] += real(last - rank + 1);
    rank = last + 1;
  }
  return sizes;
}

/// A flow of `size` packets with k probes into m counters.
struct Flow {
  std::uint64_t m, k, size;
};

/// The probability that all counters of a flow reach the threshold, with independent loads of its
/// counters; and what that is too much, as every draw of another flow falls into one counter only.
struct Admission {
  double independent = 0.0;
  double shared = 0.0;
};

/// The first k + 1 coefficients of a product.
std::vector<double> times(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> product(a.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; i + j < a.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

/// The sum over all ways in which k probes share counters: with d counters, of c probes each,
/// k! [z^k] A(z)^d / d! times m (m-1) ... (m-d+1) / m^k, where A is the series of reach[c] / c!.
/// `pairs` is the series of what a pair of counters takes away, without the factors 1 / c!.
Admission over_shared_counters(const Flow& flow, const std::vector<double>& reach,
                               const std::vector<std::vector<double>>& pairs) {
  const auto k = static_cast<std::size_t>(flow.k);
  std::vector<double> factorial(k + 1, 1.0);
  for (std::size_t c = 1; c <= k; ++c) factorial[c] = factorial[c - 1] * real(c);
  std::vector<double> one(k + 1, 0.0), two(k + 1, 0.0);
  for (std::size_t a = 1; a <= k; ++a) {
    one[a] = reach[a] / factorial[a];
    for (std::size_t b = 1; a + b <= k; ++b) {
      two[a + b] += pairs[a][b] / factorial[a] / factorial[b];
    }
  }
  Admission sum;
  std::vector<double> former(k + 1, 0.0), all(k + 1, 0.0);  // A^(d-2) and A^(d-1)
  all[0] = 1.0;
  double log_ways = std::log(factorial[k]) - real(k) * std::log(real(flow.m));
  for (std::size_t d = 1; d <= k && d <= flow.m; ++d) {
    log_ways += std::log(real(flow.m - d + 1) / real(d));
    const double ways = std::exp(log_ways);
    if (d >= 2) sum.shared += ways * real(d) * real(d - 1) / 2.0 * times(two, former)[k];
    former = all;
    all = times(all, one);
    sum.independent += ways * all[k];
  }
  return sum;
}

/// `law`: of the load of one counter by all flows, this one among them, below the threshold.
Admission admission(const Flow& flow, const std::vector<double>& sizes, std::vector<double> law) {
  remove_load(law, flow.size, flow.k, real(flow.m));
  const std::uint64_t threshold = law.size();
  std::vector<double> tail{1.0};  // P(the others bring so many packets or more)
  for (const double share : law) tail.push_back(std::max(0.0, tail.back() - share));
  const auto reached = [&](std::uint64_t own) {
    return own >= threshold ? 1.0 : tail[static_cast<std::size_t>(threshold - own)];
  };
  const auto k = static_cast<std::size_t>(flow.k);
  std::vector<double> reach(k + 1, 0.0);
  for (std::size_t c = 1; c <= k; ++c) reach[c] = reached(c * flow.size);
  std::vector<std::vector<double>> pairs(k + 1, std::vector<double>(k + 1, 0.0));
  const std::uint64_t most = std::min<std::uint64_t>(k, (threshold - 1) / flow.size);
  for (std::uint64_t size = 1; size <= threshold; ++size) {
    const double others = sizes[static_cast<std::size_t>(size)] - (size == flow.size ? 1.0 : 0.0);
    if (others <= 0.0) continue;
    const double weight = others * real(flow.k) / real(flow.m) / real(flow.m);
    for (std::uint64_t a = 1; a <= most; ++a) {
      const double more = reached(a * flow.size + size) - reach[a];
      for (std::uint64_t b = 1; b <= std::min(most, flow.k - a); ++b) {
        pairs[a][b] += weight * more * (reached(b * flow.size + size) - reach[b]);
      }
    }
  }
  return over_shared_counters(flow, reach, pairs);
}

}  // namespace

double false_loop(std::uint64_t m, std::uint64_t k, std::uint64_t hops) {
  require_application(m >= 1 && k >= 1, "a header needs m >= 1 bits and k >= 1 probes");
  constexpr std::uint64_t most = std::uint64_t{1} << 15;
  require_application(m <= most && k <= most && hops <= most && k * hops <= most,
                      "loops are computed for m and k hops up to 32768");
  std::vector<double> set_bits(static_cast<std::size_t>(std::min(m, k * hops)) + 1, 0.0);
  set_bits[0] = 1.0;
  std::vector<double> rates;  // that a router not met is taken for one, by the set bits
  for (std::size_t x = 0; x < set_bits.size(); ++x) {
    rates.push_back(std::pow(real(x) / real(m), real(k)));
  }
  double ended = 0.0;
  for (std::uint64_t hop = 0; hop < hops; ++hop) {
    std::vector<double> next = set_bits;
    for (std::uint64_t probe = 0; probe < k; ++probe) {
      const std::uint64_t most_set = std::min<std::uint64_t>(set_bits.size(), k * hop + probe + 2);
      draw_position(std::span(next).first(static_cast<std::size_t>(most_set)), real(m));
    }
    for (std::size_t x = 0; x < set_bits.size(); ++x) {
      const double reported = set_bits[x] * rates[x];
      ended += reported;
      next[x] = std::max(0.0, next[x] - reported);
    }
    set_bits = std::move(next);
  }
  return std::min(ended, 1.0);
}

RotatingFilters rotating_filters(std::uint64_t m, std::uint64_t k, std::uint64_t window,
                                 std::uint64_t lag) {
  require_application(window >= 2 && window % 2 == 0, "the window must be even and not 0");
  require_application(lag % 2 == 1, "the lag must be odd");
  // Duplicates of packets that came before the window are further keys in its filter.
  const auto held = [&](std::uint64_t place) {
    return (place + 1) / 2 + std::min(place / 2, (lag - 1) / 2);
  };
  const double former = exact_fpr(m, held(window), k);
  const auto reported = [&](std::uint64_t place) {
    return 1.0 - (1.0 - exact_fpr(m, held(place), k)) * (1.0 - former);
  };
  // The mean of 1 - reported over the places first, first + 2, ...: so many of them.
  const auto passed = [&](std::uint64_t first, std::uint64_t places) {
    const std::uint64_t samples = std::min<std::uint64_t>(places, 256);
    double sum = 0.0;
    for (std::uint64_t i = 0; i < samples; ++i) {
      const std::uint64_t place = (2 * i + 1) * places / (2 * samples);
      sum += 1.0 - reported(first + 2 * place);
    }
    return samples == 0 ? 0.0 : sum / real(samples);
  };
  const std::uint64_t pairs = window / 2;
  const std::uint64_t forgotten = lag > window ? std::min(pairs, (lag - window - 1) / 2) : 0;
  return {1.0 - passed(0, pairs), real(forgotten) / real(pairs) * passed(1, forgotten)};
}

CrawlLosses crawl_losses(std::uint64_t pages, std::uint64_t links, std::uint64_t m,
                         std::uint64_t k) {
  require_application(m >= 1 && k >= 1, "a filter needs m >= 1 bits and k >= 1 probes");
  require_application(pages >= 1 && links >= 1, "a crawl needs a page and a link");
  require_application(pages <= 100'000'000, "crawls are computed for up to 10^8 pages");
  CrawlLosses losses;
  double weight = 1.0;  // of all pages
  double seen = 1.0;    // pages met: a skipped one would set no further bit
  double reachable = 1.0;
  for (std::uint64_t page = 1; page < pages; ++page) {
    const double share = reachable / weight;
    const double met = -std::expm1(real(links) * std::log1p(-std::min(share, 1.0)));
    const double rate = std::pow(-std::expm1(-real(k) * seen / real(m)), real(k));
    losses.unreached += 1.0 - met;
    losses.skipped += met * rate;
    seen += met;
    reachable += real(links) * share + met * (1.0 - rate);
    weight += real(links) + 1.0;
  }
  return losses;
}

TreeForwards tree_forwards(std::uint64_t fanout, std::uint64_t levels, std::uint64_t documents,
                           std::uint64_t bits, std::uint64_t k) {
  require_application(fanout >= 1 && levels >= 1 && levels <= 64, "a tree needs 1 to 64 levels");
  const double leaves = std::pow(real(fanout), real(levels));
  require_application(leaves * real(std::max<std::uint64_t>(documents, 1)) < 1e12,
                      "trees are computed for up to 10^12 documents");
  TreeForwards forwards;
  double below = 0.0;  // messages into and below a child that has not the document, per child
  for (std::uint64_t level = levels; level >= 1; --level) {
    auto behind = documents;
    for (std::uint64_t deeper = level; deeper < levels; ++deeper) behind *= fanout;
    const double rate = documents == 0 ? 0.0 : exact_fpr(bits * behind, behind, k);
    below = rate * (1.0 + real(fanout) * below);
    forwards.present += real(fanout - 1) * below;
  }
  forwards.absent = real(fanout) * below;
  return forwards;
}

double flows_wrongly_admitted(std::uint64_t m, std::uint64_t k, std::uint64_t flows,
                              std::uint64_t largest, std::uint64_t threshold) {
  require_application(m >= 2 && k >= 1 && k <= 64,
                      "counts need m >= 2 counters and 1 to 64 probes");
  require_application(flows >= 1 && largest >= 1, "counts need a flow and a packet");
  require_application(threshold >= 1 && threshold <= 4096, "thresholds go from 1 to 4096");
  const std::vector<double> sizes = flows_of_sizes(flows, largest, threshold);
  std::vector<double> law(static_cast<std::size_t>(threshold), 0.0);
  law[0] = 1.0;
  for (std::uint64_t size = 1; size <= threshold; ++size) {
    const double draws = sizes[static_cast<std::size_t>(size)] * real(k);
    if (draws > 0.0) add_load(law, size, draws, real(m));
  }
  double wrong = 0.0;
  double shared = 0.0;
  for (std::uint64_t size = 1; size < threshold; ++size) {
    const double count = sizes[static_cast<std::size_t>(size)];
    if (count == 0.0) continue;
    const Admission one = admission({m, k, size}, sizes, law);
    wrong += count * one.independent;
    shared += count * one.shared;
  }
  require_application(shared <= 0.2 * wrong,
                      "flows are too few for this threshold: the loads of a flow's counters are "
                      "not nearly independent");
  return wrong - shared;
}

GuardedLookup guarded_lookup(double hit_ratio, double fpr, double filter_absent,
                             double filter_present, double store_absent, double store_present) {
  const auto is_share = [](double value) { return value >= 0.0 && value <= 1.0; };
  require_application(is_share(hit_ratio) && is_share(fpr), "a share is from 0 to 1");
  require_application(
      filter_absent >= 0.0 && filter_present >= 0.0 && store_absent >= 0.0 && store_present >= 0.0,
      "costs are not negative");
  const double saved = (1.0 - fpr) * store_absent - filter_absent;  // by an absent key
  return {(1.0 - hit_ratio) * (filter_absent + fpr * store_absent) +
              hit_ratio * (filter_present + store_present),
          saved <= 0.0 ? 0.0 : saved / (saved + filter_present)};
}

ChosenKeys chosen_keys(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  require_application(m >= 1 && k >= 1, "a filter needs m >= 1 bits and k >= 1 probes");
  require_application(n <= m / k, "n keys of k new bits each need m >= n k bits");
  double tries = 0.0;
  for (std::uint64_t key = 0; key < n; ++key) {
    double each = 1.0;
    for (std::uint64_t bit = key * k; bit < (key + 1) * k; ++bit) each *= real(m) / real(m - bit);
    tries += each;
  }
  return {std::pow(real(k) * real(n) / real(m), real(k)), tries};
}

}  // namespace bloomlab::theory
