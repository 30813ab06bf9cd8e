#include "core/theory/strides.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using Whole = std::int64_t;

/// Fixed samples: Vigna's splitmix64.
class Samples {
 public:
  std::uint64_t word() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  double fraction() { return static_cast<double>(word() >> 11U) * 0x1p-53; }
  Whole below(Whole end) { return static_cast<Whole>(fraction() * static_cast<double>(end)); }

 private:
  std::uint64_t state_ = 0;
};

Whole modulo(Whole value, Whole m) {
  const Whole rest = value % m;
  return rest < 0 ? rest + m : rest;
}

/// The inverse of a unit modulo m.
Whole inverse(Whole unit, Whole m) {
  Whole r0 = m;
  Whole r1 = modulo(unit, m);
  Whole t0 = 0;
  Whole t1 = 1;
  while (r1 > 1) {
    const Whole quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    t0 = std::exchange(t1, t0 - quotient * t1);
  }
  return m == 1 ? 0 : modulo(t1, m);
}

/// Probe i of a key: sign (from_a a + from_b b - away) - flip, modulo m.
struct Probe {
  Whole from_a = 1;
  Whole from_b = 0;
  Whole away = 0;  ///< what wraps and squares take off
  Whole sign = 1;
  Whole flip = 0;

  [[nodiscard]] Whole at(Whole a, Whole b, Whole m) const {
    return modulo(sign * modulo(from_a * a + from_b * b - away, m) - flip, m);
  }
  /// The value of from_a a + from_b b that puts the probe on a position.
  [[nodiscard]] Whole sum_for(Whole position, Whole m) const {
    return modulo(sign * (position + flip) + away, m);
  }
};

/// One arithmetic in a filter: samples keys by their wraps and signs, with a and b left modulo m.
class Sampler {
 public:
  Sampler(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t k)
      : strides_(strides), m_(static_cast<Whole>(m)), k_(static_cast<Whole>(k)) {
    if (strides.word_bits > 0) {
      turn_ = 1;
      for (unsigned bit = 0; bit < strides.word_bits; ++bit) turn_ = 2 * turn_ % m_;
    }
    if (strides.rotation > 0) tied_ = std::gcd(m_, (Whole{1} << strides.word_bits) - 1);
  }

  [[nodiscard]] Whole m() const { return m_; }
  [[nodiscard]] Whole k() const { return k_; }
  Samples& samples() { return samples_; }

  void draw(std::vector<Probe>& probes) {
    double u = samples_.fraction();
    double v = strides_.word_bits > 0 ? samples_.fraction() : 0.0;
    probes.resize(static_cast<std::size_t>(k_));
    for (Whole i = 0; i < k_; ++i) {
      const Whole step = i + strides_.first;
      Probe& probe = probes[static_cast<std::size_t>(i)];
      probe = {strides_.stride_alone && step == 1 ? 0 : 1, step, 0, 1, 0};
      const double turns = static_cast<double>(probe.from_a) * u + static_cast<double>(step) * v;
      const double whole = std::floor(turns);
      probe.away = static_cast<Whole>(whole) % m_ * turn_ % m_;
      if (strides_.squares) probe.away -= step * step;
      if (strides_.fold == SignFold::unsigned_word || turns - whole < 0.5) continue;
      probe.away += turn_;  // a word from 2^(W-1) on stands for one that is 2^W less
      probe.sign = -1;
      probe.flip = strides_.fold == SignFold::complement ? 1 : 0;
    }
  }

  /// How many times likelier (a, b) is than among all pairs: a rotation ties b to a.
  [[nodiscard]] Whole weight(Whole a, Whole b) const {
    if (tied_ == 1) return 1;
    return modulo(b - modulo(a, tied_) * factor(), tied_) == 0 ? tied_ : 0;
  }

  /// A stride for a, uniformly.
  [[nodiscard]] Whole stride_for(Whole a) {
    if (tied_ == 1) return samples_.below(m_);
    return modulo(modulo(modulo(a, tied_) * factor(), tied_) + tied_ * samples_.below(m_ / tied_),
                  m_);
  }

  /// x with factor x = value modulo m, one of its solutions at random; returns their number, or 0.
  [[nodiscard]] Whole solve(Whole factor, Whole value, Whole& x) {
    const Whole common = std::gcd(factor, m_);
    if (value % common != 0) return 0;
    const Whole rest = m_ / common;
    x = modulo(value / common, rest) * inverse(factor / common, rest) % rest +
        rest * samples_.below(common);
    return common;
  }

 private:
  [[nodiscard]] Whole factor() const {
    Whole product = 1;
    for (unsigned bit = 0; bit < strides_.rotation; ++bit) product = 2 * product % tied_;
    return product;
  }

  StrideArithmetic strides_;
  Whole m_;
  Whole k_;
  Whole turn_ = 0;  ///< 2^W modulo m
  Whole tied_ = 1;  ///< b is a times 2^rotation modulo this
  Samples samples_;
};

/// Two different indices below k, in any order.
std::pair<std::size_t, std::size_t> two_of(Sampler& sampler) {
  const Whole first = sampler.samples().below(sampler.k());
  const Whole second = sampler.samples().below(sampler.k() - 1);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(second + (second >= first))};
}

void place(const std::vector<Probe>& probes, Whole a, Whole b, Whole m, std::vector<Whole>& at) {
  at.clear();
  for (const Probe& probe : probes) at.push_back(probe.at(a, b, m));
}

/// Of k positions, how many repeat an earlier one, and how many pairs are equal.
struct Repeats {
  Whole positions = 0;
  Whole pairs = 0;
};

Repeats repeats_in(std::vector<Whole> at) {
  Repeats repeats;
  std::ranges::sort(at);
  Whole run = 0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    run = at[i] == at[i - 1] ? run + 1 : 0;
    repeats.positions += run > 0 ? 1 : 0;
    repeats.pairs += run;
  }
  return repeats;
}

/// What coinciding positions of one key change: expected repeats, and E[f^-repeats] - 1.
struct OwnRepeats {
  double positions = 0.0;
  double queries = 0.0;
};

OwnRepeats own_repeats(Sampler& sampler, double fill, int rounds) {
  const Whole m = sampler.m();
  std::vector<Probe> probes;
  std::vector<Whole> at;
  OwnRepeats sum;
  for (int round = 0; round < rounds; ++round) {
    sampler.draw(probes);
    const auto [i, j] = two_of(sampler);
    const Whole of_a = probes[i].sign * probes[i].from_a - probes[j].sign * probes[j].from_a;
    const Whole of_b = probes[i].sign * probes[i].from_b - probes[j].sign * probes[j].from_b;
    const Whole value = probes[i].sign * probes[i].away + probes[i].flip -
                        probes[j].sign * probes[j].away - probes[j].flip;
    Whole a = sampler.samples().below(m);
    Whole b = sampler.samples().below(m);
    const Whole ways = of_a != 0 ? sampler.solve(of_a, modulo(value - of_b * b, m), a)
                                 : sampler.solve(of_b, modulo(value, m), b);
    const double weight = static_cast<double>(ways == 0 ? 0 : ways * sampler.weight(a, b));
    if (weight == 0.0) continue;
    place(probes, a, b, m, at);
    const Repeats repeats = repeats_in(at);
    const double share = weight / static_cast<double>(repeats.pairs);
    sum.positions += share * static_cast<double>(repeats.positions);
    sum.queries += share * (std::pow(fill, -static_cast<double>(repeats.positions)) - 1.0);
  }
  const auto k = static_cast<double>(sampler.k());
  const double scale = k * (k - 1.0) / 2.0 / static_cast<double>(m) / rounds;
  return {scale * sum.positions, scale * sum.queries};
}

/// By what a key that covers j of a query's positions raises its chance, over what its single
/// positions do.
double gain(double fill, double covered) {
  return std::pow(fill, -covered) - 1.0 - covered * (1.0 - fill) / fill;
}

/// E[gain] over a query and a key: given that two of the key's positions are two of the query's.
double meeting_gain(Sampler& sampler, double fill, int rounds) {
  const Whole m = sampler.m();
  std::vector<Probe> query;
  std::vector<Probe> key;
  std::vector<Whole> asked;
  std::vector<Whole> set;
  double sum = 0.0;
  for (int round = 0; round < rounds; ++round) {
    sampler.draw(query);
    sampler.draw(key);
    const Whole at = sampler.samples().below(m);
    place(query, at, sampler.stride_for(at), m, asked);
    const auto [i, j] = two_of(sampler);
    const auto [p, q] = two_of(sampler);
    const Whole first = key[p].sum_for(asked[i], m);
    const Whole second = key[q].sum_for(asked[j], m);
    const Whole of_b = key[p].from_a * key[q].from_b - key[q].from_a * key[p].from_b;
    Whole b = 0;
    const Whole ways =
        sampler.solve(of_b, modulo(key[p].from_a * second - key[q].from_a * first, m), b);
    if (ways == 0) continue;
    const Whole a = key[p].from_a != 0 ? modulo(first - key[p].from_b * b, m)
                                       : modulo(second - key[q].from_b * b, m);
    const Whole weight = ways * sampler.weight(a, b);
    if (weight == 0) continue;
    place(key, a, b, m, set);
    double meetings = 0.0;
    std::vector<Whole> met;
    for (const Whole position : asked) {
      const auto hits = std::ranges::count(set, position);
      if (hits == 0) continue;
      meetings += static_cast<double>(hits);
      if (std::ranges::find(met, position) == met.end()) met.push_back(position);
    }
    // Ordered pairs of meetings with different probes on both sides, as they were drawn.
    double pairs = meetings * (meetings - 1.0);
    for (const Whole position : asked) {
      const auto here = static_cast<double>(std::ranges::count(set, position));
      pairs -= here * (here - 1.0);  // two probes of the key, one of the query
    }
    for (const Whole position : set) {
      const auto here = static_cast<double>(std::ranges::count(asked, position));
      pairs -= here * (here - 1.0);
    }
    sum += static_cast<double>(weight) * gain(fill, static_cast<double>(met.size())) / pairs;
  }
  const auto k = static_cast<double>(sampler.k());
  const double combinations = k * (k - 1.0) * k * (k - 1.0);
  return combinations * sum / rounds / static_cast<double>(m) / static_cast<double>(m);
}

/// What the arithmetic adds to the rate of independent positions, relatively.
double excess(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  constexpr std::uint64_t large = std::uint64_t{1} << 24;  // there it is below 10^-5
  if (k < 2 || m > large || m < 2) return 0.0;
  const int rounds = static_cast<int>(std::clamp<std::uint64_t>((1U << 20U) / k, 4096, 32768));
  Sampler sampler(strides, m, k);
  const auto bits = static_cast<double>(m);
  const auto probes = static_cast<double>(k);
  const double keys = static_cast<double>(n);
  const double fill = -std::expm1(-probes * keys / bits);
  const OwnRepeats own = own_repeats(sampler, fill, rounds);
  const double pairs = probes * (probes - 1.0) / 2.0;
  const double of_fill =
      -keys * (own.positions - pairs / bits) / bits * probes * (1.0 - fill) / fill;
  const double of_queries = own.queries - pairs / bits * (1.0 / fill - 1.0);
  const double of_meetings = keys * (meeting_gain(sampler, fill, rounds) -
                                     2.0 * pairs * pairs / bits / bits * gain(fill, 2.0));
  return of_fill + of_queries + of_meetings;
}

/// Fill and query rate for a stride that is the first position turned left by `rotation` of 32
/// bits, with every position's own chance to be set.
///
/// With b = 2^rotation a modulo 2^32 - 1, probe i is a (1 + i 2^rotation) - w_i modulo every
/// divisor of 2^32 - 1; w_i = floor(u + i v) are its wraps, u and v the fractions a/2^32 and
/// b/2^32. So it takes 2^32/g values per wrap, g = gcd(1 + i 2^rotation, 2^32 - 1). Where g has a
/// divisor in common with m, classes of residues are reached unevenly; where g is large (65537 for
/// i = 2 and LevelDB's 15), single positions are, and the other probes of a query meet them
/// together.
class RotatedPositions {
 public:
  RotatedPositions(unsigned rotation, std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : rotation_(rotation), m_(m), k_(k), keys_(static_cast<double>(n)) {
    for (std::uint64_t i = 0; i < k; ++i) {
      const std::uint64_t factor = (1 + (i << rotation)) % whole;
      const std::uint64_t common = std::gcd(factor == 0 ? whole : factor, whole);
      common_.push_back(common);
      if (common < sparse) classes_ = std::lcm(classes_, std::gcd(common, m));
    }
    for (std::uint64_t i = 0; i < k; ++i) common_[i] >= sparse ? add_places(i) : add_classes(i);
    for (double& load : loads_) load = std::exp(-load * keys_ / static_cast<double>(m_));
    merge_places();
  }

  /// The mean over fixed hashes that fill the square of (u, v) evenly: as many as their spread asks
  /// for, to a standard error of 0.5 %.
  [[nodiscard]] double rate() const {
    constexpr std::uint64_t least = 1U << 15U;
    constexpr std::uint64_t most = 1U << 19U;
    constexpr double error = 0.005;
    // Roberts's sequence: powers of the root of x^3 = x + 1.
    constexpr std::uint64_t first = 0xc13fa9a902a6328f;
    constexpr std::uint64_t second = 0x91e10da5c79e7b1c;
    double sum = 0.0;
    double squares = 0.0;
    for (std::uint64_t at = 1;; ++at) {
      const std::uint64_t high = first * at >> 49U << 17U;
      const double one = of_hash(static_cast<std::uint32_t>(high | second * at >> 47U));
      sum += one;
      squares += one * one;
      if (at == most || (at % least == 0 && squares <= error * error * sum * sum)) {
        return sum / static_cast<double>(at);
      }
    }
  }

 private:
  static constexpr std::uint64_t whole = 0xffffffffU;
  static constexpr std::uint64_t sparse = 4096;  ///< g from which single positions count

  using Place = std::pair<std::uint64_t, double>;

  /// P(w_i = wraps): u + i v is a sum of two uniform parts.
  static double share_of(std::uint64_t i, std::uint64_t wraps) {
    if (i == 0) return 1.0;
    return (wraps == 0 || wraps == i ? 0.5 : 1.0) / static_cast<double>(i);
  }

  /// Probe i takes multiples of g less its wraps: its load on each class, times m.
  void add_classes(std::uint64_t i) {
    loads_.resize(classes_, 0.0);
    const std::uint64_t common = std::gcd(common_[i], classes_);
    for (std::uint64_t wraps = 0; wraps <= i; ++wraps) {
      for (std::uint64_t c = 0; c < classes_; ++c) {
        if ((c + wraps) % common == 0)
          loads_[c] += share_of(i, wraps) * static_cast<double>(common);
      }
    }
  }

  /// Probe i takes few values: each with its probability.
  void add_places(std::uint64_t i) {
    const auto width = static_cast<double>(i);
    const double share = static_cast<double>(common_[i]) * 0x1p-32 / width;
    for (std::uint64_t word = 0; word <= (i + 1) * whole; word += common_[i]) {
      const double turns = static_cast<double>(word) * 0x1p-32;
      const double density = std::clamp(std::min(turns, width + 1.0 - turns), 0.0, 1.0);
      places_.emplace_back((word & whole) % m_, density * share);
    }
  }

  /// Equal positions made one, with their chance to be missed by all keys.
  void merge_places() {
    std::ranges::sort(places_);
    std::size_t kept = 0;
    for (const auto& [position, share] : places_) {
      if (kept > 0 && places_[kept - 1].first == position) {
        places_[kept - 1].second += share;
      } else {
        places_[kept++] = {position, share};
      }
    }
    places_.resize(kept);
    starts_.assign((m_ >> bucket_bits()) + 2, 0);
    for (const Place& place : places_) ++starts_[(place.first >> bucket_bits()) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    for (Place& place : places_) place.second = std::exp(-keys_ * place.second);
  }

  /// Positions in a bucket of the index of places, log2: about 2^18 buckets.
  [[nodiscard]] unsigned bucket_bits() const {
    const auto width = static_cast<unsigned>(std::bit_width(m_));
    return width > 18 ? width - 18 : 0;
  }

  /// P(no key sets the position).
  [[nodiscard]] double missed(std::uint64_t position) const {
    const std::uint64_t bucket = position >> bucket_bits();
    for (std::uint32_t at = starts_[bucket]; at < starts_[bucket + 1]; ++at) {
      if (places_[at].first == position) return loads_[position % classes_] * places_[at].second;
    }
    return loads_[position % classes_];
  }

  [[nodiscard]] double of_hash(std::uint32_t hash) const {
    const std::uint32_t stride = std::rotl(hash, static_cast<int>(rotation_));
    double product = 1.0;
    for (std::uint64_t i = 0; i < k_; ++i, hash += stride) product *= 1.0 - missed(hash % m_);
    return product;
  }

  unsigned rotation_;
  std::uint64_t m_;
  std::uint64_t k_;
  double keys_;
  std::uint64_t classes_ = 1;
  std::vector<std::uint64_t> common_;
  std::vector<double> loads_;  ///< at last, P(a position of the class is missed by dense probes)
  std::vector<Place> places_;
  std::vector<std::uint32_t> starts_;
};

double rotated_fpr(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k) {
  const double hashes = 0x1p32;
  const double equal = -std::expm1(static_cast<double>(n) * std::log1p(-1.0 / hashes));
  const auto different = static_cast<std::uint64_t>(
      std::clamp(std::round(equal * hashes), 1.0, static_cast<double>(n)));
  const double crowded = RotatedPositions(strides.rotation, m, different, k).rate() /
                         std::max(approx_fpr(m, different, k), 1e-300);
  const double inner = reduced_range_fpr(std::uint64_t{1} << 32U, m, different, k) * crowded *
                       (1.0 + excess(strides, m, different, k));
  return std::clamp(equal + (1.0 - equal) * inner, 0.0, 1.0);
}

}  // namespace

double strided_fpr(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k) {
  detail::require_filter("strides", m, k);
  detail::require(k <= max_exact_probes, "strides", "more than 256 probes");
  detail::require(strides.word_bits <= 64 && strides.rotation < 32, "strides",
                  "words of more than 64 bits, or turned by more than 31");
  if (n == 0) return 0.0;
  if (strides.rotation > 0) return rotated_fpr(strides, m, n, k);
  // A signed word of which the sign is folded leaves 2^(W-1) values.
  const bool folded = strides.fold != SignFold::unsigned_word;
  const double even = strides.word_bits == 32
                          ? reduced_range_fpr(std::uint64_t{1} << (folded ? 31U : 32U), m, n, k)
                          : exact_fpr(m, n, k);
  return std::clamp(even * (1.0 + excess(strides, m, n, k)), 0.0, 1.0);
}

}  // namespace bloomlab::theory
