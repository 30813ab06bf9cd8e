#include "audit/observed.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <span>
#include <utility>

#include "core/theory/strides.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"
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
// Filters that are simulated: more bits or keys, or keys for which they were not made, take long.
constexpr double most_simulated_bits = 20'000.0;
constexpr std::uint64_t most_simulated_keys = 20'000;
constexpr std::uint64_t most_simulated_load = 4;

/// How common a cause is, as the parameters that fit() has a price for.
enum Rarity : int {
  known_of_libraries = 1,
  heard_of = 2,
  one_of_many = 3,    ///< of some dozens that differ in a whole number
  fits_anything = 4,  ///< with a real number
};

double floor_of(const Observed& observed, std::uint64_t n, double rate) {
  if (!observed.hash_bits || n == 0) return rate;
  const double same =
      equal_hash_share(static_cast<double>(n), static_cast<double>(*observed.hash_bits));
  return same + (1.0 - same) * rate;
}

Place place_of(const Observed& observed, const Observation& seen) {
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
  at.expected = floor_of(observed, seen.n, rate(observed.layout, seen.n));
  at.spread = spread_of(observed.layout, static_cast<double>(seen.n));
  return at;
}

JudgedObservation judged(const Place& at, const Observation& seen) {
  JudgedObservation result{.seen = seen, .expected = at.expected};
  if (seen.queries == 0) return result;
  const double variance =
      std::min(at.spread * at.expected * at.expected, at.expected * (1.0 - at.expected));
  const statistics::HitLaw law({.rate = at.expected, .variance = variance},
                               {.trials = 1, .queries = seen.queries});
  const auto hits = static_cast<double>(at.cell.hits);
  result.p_value = std::min(1.0, 2.0 * std::min(law.at_most(hits), law.at_least(hits)));
  constexpr double tail = 0.025;
  result.low = std::max(0.0, std::ceil(law.critical_low(tail) + 1.0));
  result.high = std::min(static_cast<double>(seen.queries), law.critical_high(tail) - 1.0);
  return result;
}

/// The bent law with the floor of the hash.
double bent(const Observed& observed, const Place& at, const Bend& bend) {
  const double changed = bent_from(rate(at.layout, at.cell.inserted), at.layout,
                                   static_cast<double>(at.cell.inserted), bend);
  return floor_of(observed, at.cell.inserted, changed);
}

/// Keys that share a hash value are one key, and so is an absent one with an inserted one.
double short_hash(const Place& at, int width, Bend bend) {
  const auto n = static_cast<double>(at.cell.inserted);
  const double same = equal_hash_share(n, width);
  bend.key_share = std::exp2(width) * same / n;
  return same + (1.0 - same) * bent_rate(at.layout, n, bend);
}

/// What may have happened, as causes that refer to `observed`, which must outlive them.
class Candidates {
 public:
  Candidates(const Observed& observed, std::span<const Place> places)
      : observed_(observed), places_(places), standard_(is(Layout::Kind::standard)) {}

  /// Every candidate, whatever it fits.
  std::vector<Cause> all() && {
    add_hashes();
    add_sizes();
    add_probes();
    add_layouts();
    add_keys();
    add_strides();
    add_layers();
    return std::move(causes_);
  }

 private:
  [[nodiscard]] bool is(Layout::Kind kind) const { return observed_.layout.kind == kind; }
  [[nodiscard]] double bits() const { return observed_.layout.bits; }

  void add(Class kind, std::string text, int rarity, std::function<double(const Place&)> rate,
           double error = 0.003) {
    causes_.push_back({kind, std::move(text), rarity,
                       [rate = std::move(rate), error](const Place& at) {
                         return std::optional(Predicted{std::clamp(rate(at), 0.0, 1.0), error});
                       },
                       detail::no_loss});
  }
  void add_bent(Class kind, std::string text, int rarity, const Bend& bend) {
    add(kind, std::move(text), rarity,
        [&observed = observed_, bend](const Place& at) { return bent(observed, at, bend); });
  }
  void add_hashes() {
    for (int width = 8; width <= 48; ++width) {
      const bool usual = width == 32 || width == 31 || width == 24 || width == 16;
      add(Class::hash_width, "hash values of " + std::to_string(width) + " bits",
          usual ? known_of_libraries : one_of_many,
          [width](const Place& at) { return short_hash(at, width, {}); });
      if (std::exp2(width) >= 2.0 * bits()) continue;
      add_bent(Class::reduction,
               "positions below 2^" + std::to_string(width) + ", as from numbers of " +
                   std::to_string(width) + " bits",
               usual ? known_of_libraries : one_of_many, {.position_bits = width});
    }
    if (!standard_) return;
    // Java's and C's int: a hash of so few bits, and sums of it that reach no further.
    for (const int width : {31, 32}) {
      for (const int reach : {31, 32}) {
        if (std::exp2(reach) >= bits()) continue;
        add(Class::hash_width,
            "hash values of " + std::to_string(width) + " bits, and positions below 2^" +
                std::to_string(reach),
            known_of_libraries, [width, reach](const Place& at) {
              return short_hash(at, width, {.position_bits = reach});
            });
      }
    }
    add_bent(Class::reduction, "positions in single precision", heard_of,
             {.single_precision = true});
    add_bent(Class::sign, "half of the numbers are negative, and taken for position 0", heard_of,
             {.half_negative = true});
  }

  /// Bits in all, of those that are said.
  void add_size(Class kind, const std::string& text, int rarity, double share) {
    if (std::abs(share - 1.0) < 1e-6 || share * bits() < 1.0) return;
    add_bent(kind, text, rarity, {.bits_share = share});
  }
  void add_sizes() {
    if (!standard_ && !is(Layout::Kind::partitioned)) return;
    const double down = std::exp2(std::floor(std::log2(bits()))) / bits();
    constexpr double ln2 = std::numbers::ln2;
    add_size(Class::size_formula, "the size is rounded down to a power of two", known_of_libraries,
             down);
    add_size(Class::size_formula, "the size is rounded up to a power of two", known_of_libraries,
             down < 1.0 ? 2.0 * down : 1.0);
    add_size(Class::size_formula, "ln 2 is taken once too often: ln 2 times the bits",
             known_of_libraries, ln2);
    add_size(Class::size_formula, "ln 2 is taken once too little: the bits over ln 2",
             known_of_libraries, 1.0 / ln2);
    add_size(Class::size_formula, "bytes are taken for bits: an eighth of the bits",
             known_of_libraries, 1.0 / 8);
    add_size(Class::size_formula, "bits are taken for bytes: eight times the bits",
             known_of_libraries, 8.0);
    add_size(Class::fewer_bits, "half of the bits are reached", heard_of, 0.5);
    add_size(Class::fewer_bits, "a quarter of the bits is reached", heard_of, 0.25);
    const auto mask = static_cast<std::uint64_t>(bits()) - 1;
    add_size(Class::fewer_bits, "positions are masked by a size that is no power of two", heard_of,
             std::exp2(std::popcount(mask)) / bits());
  }

  void add_probe_count(const std::string& text, int rarity, double real_k) {
    const int k = static_cast<int>(std::clamp(real_k, 1.0, 255.0));
    if (k == observed_.layout.k) return;
    add_bent(Class::probe_count, text + " (" + std::to_string(k) + ")", rarity,
             {.inserted_k = k, .queried_k = k});
  }
  void add_probes() {
    if (is(Layout::Kind::split_block) || is(Layout::Kind::other)) return;
    const double per_key = bits() / static_cast<double>(observed_.planned);
    const double best = std::numbers::ln2 * per_key;
    add_probe_count("the best number of probes, rounded down", known_of_libraries,
                    std::floor(best));
    add_probe_count("the best number of probes, rounded", known_of_libraries, std::round(best));
    add_probe_count("the best number of probes, rounded up", known_of_libraries, std::ceil(best));
    add_probe_count("ln 2 is taken twice in the number of probes", known_of_libraries,
                    std::round(std::numbers::ln2 * best));
    add_probe_count("ln 2 is forgotten in the number of probes", known_of_libraries,
                    std::round(per_key));
    add_probe_count("one probe", known_of_libraries, 1.0);
    for (int k = 2; k <= std::min(2 * observed_.layout.k + 2, 32); ++k) {
      add_probe_count("another number of probes", one_of_many, k);
    }
    if (observed_.layout.k > 1) {
      add_bent(Class::probe_count, "queries test a probe less than inserts set", heard_of,
               {.queried_k = observed_.layout.k - 1});
    }
  }

  void add_layouts() {
    if (!standard_) {
      if (is(Layout::Kind::other)) return;
      Layout plain = observed_.layout;
      plain.kind = Layout::Kind::standard;
      plain.form.reset();
      add(Class::layout, "bits all over the filter, no blocks", heard_of,
          [plain](const Place& at) { return rate(plain, at.cell.inserted); });
      return;
    }
    for (const double block : {32.0, 64.0, 128.0, 256.0, 512.0}) {
      const bool usual = block == 64.0 || block == 512.0;
      add_blocks(
          "blocks of " + std::to_string(static_cast<int>(block)) + " bits with as many probes",
          usual ? known_of_libraries : heard_of, Layout::Kind::blocked, block);
    }
    add_blocks("split blocks of 8 lanes", known_of_libraries, Layout::Kind::split_block, 256.0);
  }
  void add_blocks(const std::string& text, int rarity, Layout::Kind kind, double block) {
    if (bits() < block) return;
    Layout changed = observed_.layout;
    changed.kind = kind;
    changed.block_bits = block;
    changed.form.reset();
    add(Class::layout, text, rarity,
        [changed](const Place& at) { return rate(changed, at.cell.inserted); });
  }

  [[nodiscard]] std::function<double(const Place&)> with_keys(double factor) const {
    return [&observed = observed_, factor](const Place& at) {
      return bent(observed, at, {.key_share = factor});
    };
  }
  void add_keys() {
    for (const int shards : {2, 3, 4, 5, 8, 10, 12, 16, 20, 32, 64, 100}) {
      const std::string text = std::to_string(shards);
      const int rarity = shards <= 10 ? known_of_libraries + 1 : heard_of + 1;
      add(Class::more_keys, text + " times the keys, as after merging " + text + " filters", rarity,
          with_keys(shards));
      add(Class::several_filters, text + " filters are asked in turn", rarity,
          [shards](const Place& at) {
            return -std::expm1(shards * std::log1p(-std::min(at.expected, 1.0 - 1e-12)));
          });
    }
    add_fitted(Class::more_keys, 1.0, 1e3, [this](double factor) {
      return std::pair("holds " + significant(factor, 3) + " times the keys that are said",
                       with_keys(factor));
    });
    add_fitted(Class::fewer_keys, 1e-3, 1.0, [this](double factor) {
      return std::pair("holds " + significant(factor, 3) +
                           " times the keys that are said: some are equal, or lost",
                       with_keys(factor));
    });
    add_fitted(Class::weak_hash, 1e-9, 0.9, [](double share) {
      return std::pair(
          "a share of " + significant(share, 3) + " of the absent keys is taken for inserted ones",
          [share](const Place& at) { return share + (1.0 - share) * at.expected; });
    });
  }

  /// The cause with one real number between two, at its best.
  template <class Make>
  void add_fitted(Class kind, double low, double high, Make make) {
    const auto cause = [&](double value) {
      const auto [text, rate] = make(value);
      return Cause{kind, text, fits_anything,
                   [rate = rate](const Place& at) {
                     return std::optional(Predicted{std::clamp(rate(at), 0.0, 1.0), 0.003});
                   },
                   detail::no_loss};
    };
    causes_.push_back(
        cause(std::exp(detail::best_parameter(std::log(low), std::log(high), [&](double x) {
          return detail::fit(cause(std::exp(x)), places_).deviance;
        }))));
  }

  void add_strided(Class kind, const std::string& text, int rarity,
                   const theory::StrideArithmetic& strides) {
    auto known = std::make_shared<std::map<std::uint64_t, double>>();
    add(
        kind, text, rarity,
        [&observed = observed_, strides, known](const Place& at) {
          const auto found = known->find(at.cell.inserted);
          if (found != known->end()) return found->second;
          const double value =
              theory::strided_fpr(strides, static_cast<std::uint64_t>(at.layout.bits),
                                  at.cell.inserted, static_cast<std::uint64_t>(at.layout.k), 0.01);
          return known->emplace(at.cell.inserted, floor_of(observed, at.cell.inserted, value))
              .first->second;
        },
        0.015);
  }
  void add_strides() {
    if (!standard_ || observed_.layout.k < 2) return;
    add_strided(Class::strides, "double hashing with any stride", known_of_libraries,
                {.word_bits = 0});
    for (const unsigned turn : {15U, 17U}) {
      add_strided(
          Class::derived_stride,
          "a hash of 32 bits and the same, turned by " + std::to_string(turn) + " bits, as stride",
          known_of_libraries, {.word_bits = 32, .rotation = turn});
    }
    const bool are_many = std::ranges::any_of(places_, [](const Place& at) {
      return at.cell.inserted > std::min(most_simulated_keys, most_simulated_load * at.cell.size);
    });
    if (bits() > most_simulated_bits || are_many) return;
    detail::for_each_simulated_cause(places_, [this](const Cause& cause) {
      causes_.push_back(cause);
      causes_.back().parameters = heard_of;
    });
  }

  /// Layers of a scalable filter that was made for fewer keys than came.
  void add_layers() {
    const bool overfull = std::ranges::any_of(
        places_, [](const Place& at) { return at.cell.inserted > at.cell.size; });
    if (!overfull || !observed_.requested_rate) return;
    for (const double tightening : {0.5, 0.8, 0.85, 0.9}) {
      for (const std::uint64_t growth : {2U, 4U}) {
        Layout layered;
        layered.kind = Layout::Kind::other;
        layered.form = theory::Query{"scalable",
                                     {{"P", *observed_.requested_rate},
                                      {"r", tightening},
                                      {"s", growth},
                                      {"n0", observed_.planned},
                                      {"n", std::uint64_t{0}}}};
        add(
            Class::layers,
            "a new layer whenever one is full, each " + std::to_string(growth) +
                " times as large, tightened by " + record::shortest(tightening),
            known_of_libraries,
            [layered](const Place& at) { return rate(layered, at.cell.inserted); }, 0.01);
      }
    }
  }

  const Observed& observed_;
  std::span<const Place> places_;
  bool standard_;
  std::vector<Cause> causes_;
};

struct Mend {
  Class kind;
  std::string_view text;
};

constexpr std::array mends = {
    Mend{Class::hash_width, "hash with 64 bits or more"},
    Mend{Class::reduction, "reduce 64 bits of a hash, such as the upper half of hash * m"},
    Mend{Class::sign, "take unsigned numbers for positions"},
    Mend{Class::size_formula,
         "give the filter m = -n ln(p) / (ln 2)^2 bits, as bloomlab plan says"},
    Mend{Class::fewer_bits,
         "count the set bits of a saved filter (bloomlab inspect): no part of "
         "them may stay empty"},
    Mend{Class::probe_count, "take k = m/n ln 2 probes, rounded, as bloomlab plan says"},
    Mend{Class::layout, "size the filter by its own law: bloomlab plan --all"},
    Mend{Class::more_keys, "count the keys, and size the filter for them: bloomlab plan --items"},
    Mend{Class::fewer_keys, "count distinct keys"},
    Mend{Class::several_filters, "plan each of s filters for the rate p / s"},
    Mend{Class::weak_hash,
         "take another hash, and test it with keys like yours: kind hash_quality"},
    Mend{Class::strides, "take enhanced double hashing, or a position from a hash of its own"},
    Mend{Class::derived_stride, "take a second hash for the stride"},
    Mend{Class::shared_bits, "take other bits of the hash for each position"},
    Mend{Class::layers, "make the filter for all keys that come"},
};

std::string_view mend_of(Class kind) {
  const auto* const found = std::ranges::find(mends, kind, &Mend::kind);
  return found == mends.end() ? std::string_view() : found->text;
}

/// The shortest count, but no shorter than the first one, that tells the first two causes apart.
std::optional<Proposal> proposal_of(const Observed& observed, const Cause& first,
                                    const Cause& second) {
  std::optional<Proposal> best;
  for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}) {
    const auto n =
        static_cast<std::uint64_t>(static_cast<double>(observed.seen.front().n) * factor);
    if (n == 0) continue;
    const Place at = place_of(observed, {.n = n, .queries = 1, .share = 0.0});
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

/// The causes that fit, the best of each class, best first.
std::vector<Ranked> ranked(const Observed& observed, std::span<const Place> places) {
  std::vector<Ranked> all;
  for (Cause& cause : Candidates(observed, places).all()) {
    Fit fit = detail::fit(cause, places);
    // What says nothing of one of the counts is not to be compared.
    if (fit.cells < places.size() || fit.p_value < 1e-3) continue;
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
  for (const Observation& seen : observed.seen) {
    places.push_back(place_of(observed, seen));
    result.seen.push_back(judged(places.back(), seen));
    if (const auto p = result.seen.back().p_value) p_values.push_back(*p);
  }
  if (!p_values.empty()) result.p_value = std::ranges::min(statistics::holm(p_values));
  result.verdict = verdict_of(result);
  if (result.verdict == Verdict::as_expected || result.verdict == Verdict::near) return result;
  const std::vector<Ranked> causes = ranked(observed, places);
  for (const Ranked& one : causes) {
    PossibleCause cause{.kind = one.fit.kind,
                        .text = one.fit.text,
                        .rates = {},
                        .p_value = one.fit.p_value,
                        .mend = std::string(mend_of(one.fit.kind))};
    for (const Place& at : places) cause.rates.push_back(one.cause.rate(at)->rate);
    result.causes.push_back(std::move(cause));
  }
  if (causes.size() > 1) {
    result.proposal = proposal_of(observed, causes[0].cause, causes[1].cause);
  }
  return result;
}

}  // namespace bloomlab::audit
