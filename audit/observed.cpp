#include "audit/observed.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "audit/observed_causes.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/multiplicity.hpp"

namespace bloomlab::audit {
namespace {

constexpr double alpha = 0.01;       // of the verdict
constexpr double near_enough = 1.1;  // ratio of shares without a number of keys
// Of the best score: the dearest price beside the cheapest, and what chance adds to a right cause's
// deviance once in a hundred times, so that none is left out for its price alone.
constexpr double far_behind = 9.0 + 7.0;
constexpr std::size_t most_named = 3;
/// A share that somebody tells without a number of keys is taken to be known so well [hits].
constexpr double told_hits = 400.0;

/// What a filter of n keys is expected to show, and how much such filters differ.
struct Expected {
  double rate = 0.0;
  double spread = 0.0;
};

Expected expected_of(const Observed& observed, std::uint64_t n) {
  const std::uint64_t different = detail::different_keys(observed, n);
  const double plain = rate(observed.layout, different);
  double spread = spread_of(observed.layout, static_cast<double>(different));
  if (!observed.own_rate) return {detail::with_hash_floor(observed, n, plain), spread};
  const Predicted own = observed.own_rate(different);
  // What the scheme adds is alike in all filters.
  const double share = own.rate > 0.0 ? std::min(1.0, plain / own.rate) : 1.0;
  spread = spread * share * share + own.error * own.error;
  return {detail::with_hash_floor(observed, n, own.rate), spread};
}

/// The same for any number of keys, each evaluated once.
class Expectations {
 public:
  explicit Expectations(const Observed& observed) : observed_(observed) {}

  const Expected& after(std::uint64_t n) {
    const auto found = known_.find(n);
    return found != known_.end() ? found->second
                                 : known_.emplace(n, expected_of(observed_, n)).first->second;
  }

 private:
  const Observed& observed_;
  std::map<std::uint64_t, Expected> known_;
};

Place place_of(const Observed& observed, const Observation& seen, const Expected& expected) {
  Place at;
  at.layout = observed.layout;
  at.cell.size = observed.planned;
  at.cell.inserted = seen.n;
  at.cell.memory_bits = static_cast<std::uint64_t>(observed.layout.bits);
  at.cell.filters = 1;
  const double queries = seen.queries > 0 ? static_cast<double>(seen.queries)
                                          : std::ceil(told_hits / std::max(seen.share, 1e-9));
  at.cell.queries = static_cast<std::uint64_t>(queries);
  at.cell.hits = static_cast<std::uint64_t>(std::llround(seen.share * queries));
  at.expected = expected.rate;
  at.spread = expected.spread;
  return at;
}

statistics::HitLaw law_of(double rate, double variance, std::uint64_t queries) {
  return {{.rate = rate, .variance = std::min(variance, rate * (1.0 - rate))},
          {.trials = 1, .queries = queries}};
}

double two_sided(const statistics::HitLaw& law, double hits) {
  return std::min(1.0, 2.0 * std::min(law.at_most(hits), law.at_least(hits)));
}

JudgedObservation judged(const Place& at, const Observation& seen) {
  JudgedObservation result{.seen = seen, .expected = at.expected};
  if (seen.queries == 0) return result;
  const statistics::HitLaw law =
      law_of(at.expected, at.spread * at.expected * at.expected, seen.queries);
  const auto hits = static_cast<double>(at.cell.hits);
  result.p_value = two_sided(law, hits);
  result.at_least = law.at_least(hits);
  constexpr double tail = 0.025;
  result.low = std::max(0.0, std::ceil(law.critical_low(tail) + 1.0));
  result.high = std::min(static_cast<double>(seen.queries), law.critical_high(tail) - 1.0);
  return result;
}

/// All counts of which a number was told. Filters' own rates are taken to differ as one: that is
/// right for counts of one filter, and for counts of several it is on the safe side.
std::optional<AllCounts> together_of(std::span<const Place> places,
                                     std::span<const Observation> seen) {
  AllCounts all;
  double deviation = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (seen[i].queries == 0) continue;
    const Place& at = places[i];
    const double expected = at.expected * static_cast<double>(at.cell.queries);
    all.hits += at.cell.hits;
    all.queries += at.cell.queries;
    all.expected += expected;
    deviation += std::sqrt(at.spread) * expected;
  }
  if (all.queries == 0) return std::nullopt;
  const auto queries = static_cast<double>(all.queries);
  const double own = deviation / queries;
  const auto law = law_of(std::min(1.0, all.expected / queries), own * own, all.queries);
  all.p_value = two_sided(law, static_cast<double>(all.hits));
  return all;
}

/// Places that causes are compared with: each, or of many counts those of the same number of keys
/// together, at most so many.
std::vector<Place> compared(const std::vector<Place>& places) {
  if (places.size() <= most_separate) return places;
  std::map<std::uint64_t, Place> by_keys;
  for (const Place& at : places) {
    const auto [of, is_new] = by_keys.try_emplace(at.cell.inserted, at);
    if (is_new) continue;
    RateCell& cell = of->second.cell;
    cell.queries += at.cell.queries;
    cell.hits += at.cell.hits;
    ++cell.filters;
  }
  std::vector<Place> all;
  for (const auto& [n, at] : by_keys) all.push_back(at);
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Place& at) {
    return at.expected * static_cast<double>(at.cell.queries);
  });
  if (all.size() > most_separate) all.resize(most_separate);
  return all;
}

/// The shortest count, but no shorter than the first one, that tells the first two causes apart.
std::optional<Proposal> proposal_of(const Observed& observed, Expectations& expected,
                                    const Cause& first, const Cause& second) {
  // Of other layouts with a rate of their own nothing is known after other numbers of keys.
  if (observed.own_rate && observed.layout.kind == Layout::Kind::other) return std::nullopt;
  std::optional<Proposal> best;
  for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}) {
    const auto n =
        static_cast<std::uint64_t>(static_cast<double>(observed.seen.front().n) * factor);
    if (n == 0) continue;
    const Place at = place_of(observed, {.n = n, .queries = 1, .share = 0.0}, expected.after(n));
    const auto one = first.rate(at);
    const auto other = second.rate(at);
    if (!one || !other || one->rate <= 0.0 || other->rate <= 0.0) continue;
    constexpr double least_ratio = 1.1;
    const double ratio = std::max(one->rate / other->rate, other->rate / one->rate);
    if (ratio < least_ratio) continue;
    // Five standard deviations of the difference.
    const double difference = one->rate - other->rate;
    const double queries =
        std::max(static_cast<double>(observed.seen.front().queries),
                 std::ceil(25.0 * (one->rate + other->rate) / (difference * difference)));
    if (best && static_cast<double>(best->queries) <= queries) continue;
    best = {n, static_cast<std::uint64_t>(std::min(queries, 1e15)), one->rate, other->rate};
  }
  return best;
}

struct Ranked {
  Cause cause;
  Fit fit;
};

/// Whether the cause predicts what is expected anyhow, within a hundredth, wherever it says
/// something.
bool is_as_expected(const Cause& cause, std::span<const Place> places) {
  constexpr double near = 0.01;
  return std::ranges::all_of(places, [&](const Place& at) {
    const auto predicted = cause.rate(at);
    return !predicted || std::abs(predicted->rate - at.expected) <= near * at.expected;
  });
}

/// Whether the cause explains less than a tenth of what was seen beyond what is expected: it then
/// fits by the doubt about its law alone.
bool explains_nothing(const Cause& cause, std::span<const Place> places) {
  constexpr double least = 0.1;
  return std::ranges::all_of(places, [&](const Place& at) {
    const auto predicted = cause.rate(at);
    const double seen = static_cast<double>(at.cell.hits) / static_cast<double>(at.cell.queries);
    return !predicted ||
           std::abs(predicted->rate - at.expected) <= least * std::abs(seen - at.expected);
  });
}

/// The causes that fit, the best of each class, best first.
std::vector<Ranked> ranked(const Observed& observed, std::span<const Place> places) {
  std::vector<Ranked> all;
  for (Cause& cause : detail::observed_causes(observed, places)) {
    Fit fit = detail::fit(cause, places);
    // What says nothing of one of the counts is not to be compared, ...
    if (fit.cells < places.size() || fit.p_value < 1e-3) continue;
    // ... and of many counts that are off, a rate as expected is no cause.
    if (observed.seen.size() > most_separate && is_as_expected(cause, places)) continue;
    if (explains_nothing(cause, places)) continue;
    all.push_back({std::move(cause), std::move(fit)});
  }
  std::ranges::stable_sort(all, {}, [](const Ranked& one) { return one.fit.score; });
  std::vector<Ranked> best;
  for (Ranked& one : all) {
    if (one.fit.score > all.front().fit.score + far_behind || best.size() == most_named) break;
    if (std::ranges::none_of(best,
                             [&](const Ranked& other) { return other.fit.kind == one.fit.kind; })) {
      best.push_back(std::move(one));
    }
  }
  return best;
}

Verdict verdict_of(const ObservedJudgement& judgement) {
  bool far = false;
  bool counted = false;
  for (const JudgedObservation& one : judgement.seen) {
    counted |= one.p_value.has_value();
    if (one.p_value) continue;
    const double ratio = one.seen.share / std::max(one.expected, 1e-300);
    far |= ratio > near_enough || ratio < 1.0 / near_enough;
  }
  if (judgement.p_value < alpha) return Verdict::off;
  if (far) return Verdict::far;
  return counted ? Verdict::as_expected : Verdict::near;
}

}  // namespace

std::string_view name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::as_expected:
      return "as_expected";
    case Verdict::off:
      return "off";
    case Verdict::near:
      return "near";
    case Verdict::far:
      break;
  }
  return "far";
}

ObservedJudgement judge(const Observed& observed) {
  ObservedJudgement result;
  std::vector<Place> places;
  std::vector<double> p_values;
  Expectations expected(observed);
  for (const Observation& seen : observed.seen) {
    places.push_back(place_of(observed, seen, expected.after(seen.n)));
    result.seen.push_back(judged(places.back(), seen));
    if (const auto p = result.seen.back().p_value) p_values.push_back(*p);
  }
  if (!p_values.empty()) result.p_value = std::ranges::min(statistics::holm(p_values));
  if (places.size() > most_separate) result.together = together_of(places, observed.seen);
  if (const auto& all = result.together) {
    // Two questions: of each, and of all.
    result.p_value = std::min(1.0, 2.0 * std::min(result.p_value, all->p_value));
  }
  result.verdict = verdict_of(result);
  if (result.verdict == Verdict::as_expected || result.verdict == Verdict::near) return result;
  // Single counts that are off tell of no cause of all.
  if (result.together && result.together->p_value >= alpha) return result;
  const std::vector<Place> few = compared(places);
  const std::vector<Ranked> causes = ranked(observed, few);
  for (const Ranked& one : causes) {
    PossibleCause cause{.kind = one.fit.kind,
                        .text = one.fit.text,
                        .rates = {},
                        .p_value = one.fit.p_value,
                        .mend = std::string(detail::mend_of(one.fit.kind))};
    for (const Place& at : few) cause.rates.push_back(one.cause.rate(at)->rate);
    result.causes.push_back(std::move(cause));
  }
  if (places.size() > most_separate) {
    for (const Place& at : few) {
      result.compared.push_back({at.cell.inserted, at.cell.queries, at.cell.rate()});
    }
  }
  if (causes.size() > 1) {
    result.proposal = proposal_of(observed, expected, causes[0].cause, causes[1].cause);
  }
  return result;
}

}  // namespace bloomlab::audit
