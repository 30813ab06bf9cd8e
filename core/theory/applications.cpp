#include "core/theory/applications.hpp"

#include <algorithm>
#include <cmath>
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
void draw_position(std::vector<double>& set_bits, double m) {
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

}  // namespace

double false_loop(std::uint64_t m, std::uint64_t k, std::uint64_t hops) {
  require_application(m >= 1 && k >= 1, "a header needs m >= 1 bits and k >= 1 probes");
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  require_application(m <= most && k <= most && hops <= most && k * hops <= most,
                      "loops are computed for m and k hops up to 65536");
  std::vector<double> set_bits(static_cast<std::size_t>(std::min(m, k * hops)) + 1, 0.0);
  set_bits[0] = 1.0;
  double ended = 0.0;
  for (std::uint64_t hop = 0; hop < hops; ++hop) {
    std::vector<double> next = set_bits;
    for (std::uint64_t probe = 0; probe < k; ++probe) draw_position(next, real(m));
    for (std::size_t x = 0; x < set_bits.size(); ++x) {
      const double reported = set_bits[x] * std::pow(real(x) / real(m), real(k));
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
  require_application(m >= 2 && k >= 1, "counts need m >= 2 counters and k >= 1 probes");
  require_application(flows >= 1 && largest >= 1, "counts need a flow and a packet");
  require_application(threshold >= 1 && threshold <= 4096, "thresholds go from 1 to 4096");
  // Flows of so many packets, those that reach the threshold at its place.
  std::vector<double> sizes(static_cast<std::size_t>(threshold) + 1, 0.0);
  for (std::uint64_t rank = 1; rank <= flows; ++rank) {
    const std::uint64_t packets = std::max<std::uint64_t>(1, largest / rank);
    sizes[static_cast<std::size_t>(std::min(packets, threshold))] += 1.0;
    if (packets > 1) continue;
    sizes[static_cast<std::size_t>(std::min<std::uint64_t>(1, threshold))] += real(flows - rank);
    break;
  }
  std::vector<double> law(static_cast<std::size_t>(threshold), 0.0);
  law[0] = 1.0;
  for (std::uint64_t size = 1; size <= threshold; ++size) {
    const double draws = sizes[static_cast<std::size_t>(size)] * real(k);
    if (draws > 0.0) add_load(law, size, draws, real(m));
  }
  double wrong = 0.0;
  double less = 0.0;  // P(the other load of a counter is below threshold - size)
  for (std::uint64_t size = threshold - 1; size >= 1; --size) {
    less += law[static_cast<std::size_t>(threshold - 1 - size)];
    wrong += sizes[static_cast<std::size_t>(size)] * std::pow(std::max(0.0, 1.0 - less), real(k));
  }
  return wrong;
}

}  // namespace bloomlab::theory
