#include "core/theory/strides.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstdlib>
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

/// a b modulo m, of factors in [0, m).
Whole product(Whole a, Whole b, Whole m) {
  __extension__ using Wide = __int128;
  return static_cast<Whole>(Wide{a} * b % m);
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
    return modulo(sign * (from_a * a + from_b * b - away) - flip, m);
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
    // a + i b wraps at most i + 1 times.
    wraps_.resize(k + strides.first + 1, 0);
    for (std::size_t i = 1; i < wraps_.size(); ++i) wraps_[i] = (wraps_[i - 1] + turn_) % m_;
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
      probe.away = wraps_[static_cast<std::size_t>(whole)];
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
    x = product(modulo(value / common, rest), inverse(factor / common, rest), rest) +
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
  Whole turn_ = 0;            ///< 2^W modulo m
  std::vector<Whole> wraps_;  ///< its multiples
  Whole tied_ = 1;            ///< b is a times 2^rotation modulo this
  Samples samples_;
};

/// Two different indices below k, in any order.
std::pair<Whole, Whole> two_of(Sampler& sampler) {
  const Whole first = sampler.samples().below(sampler.k());
  const Whole second = sampler.samples().below(sampler.k() - 1);
  return {first, second + (second >= first)};
}

const Probe& probe_at(const std::vector<Probe>& probes, Whole index) {
  return probes[static_cast<std::size_t>(index)];
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

Repeats repeats_in(std::vector<Whole>& at) {
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

/// A filter of independent positions to which the excess of an arithmetic is related.
struct Even {
  double keys;
  double bits;
  double probes;
  double fill;
  double odds;  ///< (1 - fill) / fill

  std::vector<double> powers;  ///< of the fill, from the k-th down

  Even(std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : keys(static_cast<double>(n)),
        bits(static_cast<double>(m)),
        probes(static_cast<double>(k)),
        fill(-std::expm1(-probes * keys / bits)),
        odds((1.0 - fill) / fill) {
    for (double covered = 0.0; covered <= probes; covered += 1.0) {
      powers.push_back(std::pow(fill, probes - covered));
    }
  }

  /// P(the other positions of a query are set) where so many are covered; 1 beyond all.
  [[nodiscard]] double others(double covered) const {
    return powers[std::min(static_cast<std::size_t>(covered), powers.size() - 1)];
  }

  /// Keys that are expected to meet a query of independent positions in two of them.
  [[nodiscard]] double pairs() const {
    const double ways = probes * (probes - 1.0) / bits;
    return keys * ways * ways / 2.0;
  }

  /// What a key that covers so many positions of a query adds to its rate, over what it adds by
  /// single ones.
  [[nodiscard]] double gain(double covered) const {
    return others(covered) - others(0.0) * (1.0 + covered * odds);
  }

  /// The second difference: what two keys that cover one and two positions, `both` of them in
  /// common, add over the gains of each.
  [[nodiscard]] double gain(double one, double two, double both) const {
    return others(one + two - both) - others(one) * (1.0 + odds * (two - both)) -
           others(two) * (1.0 + odds * (one - both)) +
           others(0.0) * (1.0 + odds * (one + two - both) + odds * odds * (one * two - both));
  }
};

/// What coinciding positions of one key change, for a query and for the fill, in one sample.
class OwnRepeats {
 public:
  OwnRepeats(Sampler& sampler, const Even& even) : sampler_(sampler), even_(even) {}

  double sample() {
    const Whole m = sampler_.m();
    sampler_.draw(probes_);
    const auto [i, j] = two_of(sampler_);
    const Probe& one = probe_at(probes_, i);
    const Probe& two = probe_at(probes_, j);
    const Whole of_a = one.sign * one.from_a - two.sign * two.from_a;
    const Whole of_b = one.sign * one.from_b - two.sign * two.from_b;
    const Whole value = one.sign * one.away + one.flip - two.sign * two.away - two.flip;
    Whole a = sampler_.samples().below(m);
    Whole b = sampler_.samples().below(m);
    const Whole ways = of_a != 0 ? sampler_.solve(of_a, modulo(value - of_b * b, m), a)
                                 : sampler_.solve(of_b, modulo(value, m), b);
    if (ways == 0) return 0.0;
    const auto weight = static_cast<double>(ways * sampler_.weight(a, b));
    if (weight == 0.0) return 0.0;
    place(probes_, a, b, m, at_);
    const Repeats repeats = repeats_in(at_);
    return pairs() * weight / static_cast<double>(repeats.pairs) *
           change(static_cast<double>(repeats.positions));
  }

  /// The same for independent positions, of which pairs coincide.
  [[nodiscard]] double of_independent() const { return pairs() * change(1.0); }

 private:
  [[nodiscard]] double pairs() const {
    return even_.probes * (even_.probes - 1.0) / 2.0 / even_.bits;
  }
  [[nodiscard]] double change(double repeats) const {
    const double load = even_.keys * repeats / even_.bits;
    return even_.others(repeats) - even_.others(0.0) * (1.0 + load * even_.probes * even_.odds);
  }

  Sampler& sampler_;
  const Even& even_;
  std::vector<Probe> probes_;
  std::vector<Whole> at_;
};

/// What keys that cover several positions of one query add, in one sample: one of them to the first
/// order in its probability, two of them to the second.
class Meetings {
 public:
  Meetings(Sampler& sampler, const Even& even)
      : sampler_(sampler), even_(even), pairs_(even.pairs()) {}

  double sample() {
    sampler_.draw(query_);
    const Whole at = sampler_.samples().below(sampler_.m());
    place(query_, at, sampler_.stride_for(at), sampler_.m(), asked_);
    const Key one = meet();
    const Key two = meet();
    const double first = alone(one) + alone(two);
    if (one.expected == 0.0 || two.expected == 0.0) return first / 2.0;
    const auto both = static_cast<double>((one.covered & two.covered).count());
    return (first + one.expected * two.expected * even_.gain(size(one), size(two), both)) / 2.0;
  }

  /// What of this independent positions add, which their rate has already.
  [[nodiscard]] double of_independent() const {
    const double k = even_.probes;
    double expected = even_.keys;
    double sum = 0.0;
    for (double met = 1.0; met <= std::min(k, 6.0); met += 1.0) {
      expected *= (k - met + 1.0) * (k - met + 1.0) / met / even_.bits;
      if (met > 1.0) sum += expected * even_.gain(met);
    }
    return sum - pairs_ * beside_pair(2.0) / 2.0;
  }

 private:
  /// Which of the query's positions a key covers, and how many such keys stand for this sample.
  struct Key {
    std::bitset<max_exact_probes> covered;
    double expected = 0.0;
  };

  /// Probes of the key that are to meet those of the query, and how much likelier they were drawn
  /// than at random.
  struct Drawn {
    Whole i, j, p, q;
    double likelier;
  };

  static double size(const Key& key) { return static_cast<double>(key.covered.count()); }

  /// A key that so many positions are covered by, beside one that covers two anywhere.
  [[nodiscard]] double beside_pair(double covered) const {
    const double k = even_.probes;
    const double ways = k * (k - 1.0) / 2.0;
    const double in_two = covered * (covered - 1.0) / 2.0;
    const double in_one = covered * (k - covered);
    return (in_two * even_.gain(covered, 2.0, 2.0) + in_one * even_.gain(covered, 2.0, 1.0) +
            (ways - in_two - in_one) * even_.gain(covered, 2.0, 0.0)) /
           ways;
  }

  /// A key alone; the pairs that independent positions have are counted off beside it.
  [[nodiscard]] double alone(const Key& key) const {
    if (key.expected == 0.0) return 0.0;
    return key.expected * (even_.gain(size(key)) - pairs_ * beside_pair(size(key)));
  }

  /// Half of them at random; half with the query's own distance, so that the key is the query
  /// shifted by some strides or turned round, the closer the likelier: these cover most.
  Drawn draw_probes() {
    const auto [i, j] = two_of(sampler_);
    auto [p, q] = two_of(sampler_);
    const Whole last = sampler_.k() - 1;
    if (sampler_.samples().below(2) == 0) {
      const bool turned = sampler_.samples().below(2) == 0;
      const Whole from = turned ? last - i : i;
      const Whole to = turned ? last - j : j;
      double left = sampler_.samples().fraction() * shifts(from, to);
      Whole shift = -std::min(from, to);
      while ((left -= std::ldexp(1.0, static_cast<int>(-std::abs(shift)))) > 0.0 &&
             std::max(from, to) + shift < last) {
        ++shift;
      }
      p = from + shift;
      q = to + shift;
    }
    return {i, j, p, q, 0.5 + 0.25 * (density(i, j, p, q) + density(last - i, last - j, p, q))};
  }

  /// Sum of 2^-|shift| over the shifts that two probes can take.
  [[nodiscard]] double shifts(Whole from, Whole to) const {
    const auto down = static_cast<int>(std::min(from, to));
    const auto up = static_cast<int>(sampler_.k() - 1 - std::max(from, to));
    return 3.0 - std::ldexp(1.0, -down) - std::ldexp(1.0, -up);
  }

  [[nodiscard]] double density(Whole from, Whole to, Whole p, Whole q) const {
    if (p - from != q - to) return 0.0;
    return even_.probes * (even_.probes - 1.0) *
           std::ldexp(1.0, static_cast<int>(-std::abs(p - from))) / shifts(from, to);
  }

  Key meet() {
    const Whole m = sampler_.m();
    const Drawn drawn = draw_probes();
    sampler_.draw(key_);
    const Probe& one = probe_at(key_, drawn.p);
    const Probe& two = probe_at(key_, drawn.q);
    const Whole first = one.sum_for(asked_[static_cast<std::size_t>(drawn.i)], m);
    const Whole second = two.sum_for(asked_[static_cast<std::size_t>(drawn.j)], m);
    const Whole of_b = one.from_a * two.from_b - two.from_a * one.from_b;
    Whole b = 0;
    const Whole ways = sampler_.solve(of_b, modulo(one.from_a * second - two.from_a * first, m), b);
    if (ways == 0) return {};
    const Whole a =
        one.from_a != 0 ? modulo(first - one.from_b * b, m) : modulo(second - two.from_b * b, m);
    const Whole weight = ways * sampler_.weight(a, b);
    if (weight == 0) return {};
    place(key_, a, b, m, set_);
    Key key;
    const double pairs = cover(key);
    const double combinations = even_.probes * (even_.probes - 1.0) / even_.bits;
    key.expected = even_.keys * combinations * combinations * static_cast<double>(weight) /
                   (pairs * drawn.likelier);
    return key;
  }

  /// The positions in common; returns how many ordered pairs of meetings have different probes on
  /// both sides, as they were drawn.
  double cover(Key& key) {
    double meetings = 0.0;
    double shared = 0.0;
    std::ranges::sort(set_);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const auto [from, to] = std::ranges::equal_range(set_, asked_[i]);
      const auto hits = static_cast<double>(to - from);
      if (hits == 0.0) continue;
      const auto again = static_cast<double>(std::ranges::count(asked_, asked_[i]));
      meetings += hits;
      shared += hits * (hits - 1.0) + hits * (again - 1.0);
      const auto before = std::ranges::find(asked_, asked_[i]);
      key.covered.set(static_cast<std::size_t>(before - asked_.begin()));
    }
    return meetings * (meetings - 1.0) - shared;
  }

  Sampler& sampler_;
  const Even& even_;
  double pairs_;  ///< expected keys that cover two positions of a query of independent ones
  std::vector<Probe> query_;
  std::vector<Probe> key_;
  std::vector<Whole> asked_;
  std::vector<Whole> set_;
};

/// So few keys that a query meets one of them in two positions more often than not: the mean over
/// queries by their different positions, and keys that have the query's own a and b. A lower
/// estimate.
double few_keys_fpr(Sampler& sampler, std::uint64_t n) {
  constexpr int rounds = 2048;
  const Whole m = sampler.m();
  std::vector<Probe> probes;
  std::vector<Whole> query;
  std::vector<Whole> key;
  std::vector<double> with(static_cast<std::size_t>(sampler.k()) + 1, 0.0);
  double different = 0.0;
  double equal = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const Whole a = sampler.samples().below(m);
    const Whole b = sampler.stride_for(a);
    sampler.draw(probes);
    place(probes, a, b, m, query);
    sampler.draw(probes);
    place(probes, a, b, m, key);
    const auto positions = sampler.k() - repeats_in(query).positions;
    std::ranges::sort(key);
    equal += std::ranges::includes(key, query) ? 1.0 / rounds : 0.0;
    with[static_cast<std::size_t>(positions)] += 1.0 / rounds;
    different += static_cast<double>(positions) / rounds;
  }
  const auto bits = static_cast<double>(m);
  const double fill = -std::expm1(static_cast<double>(n) * std::log1p(-different / bits));
  double rate = 0.0;
  for (std::size_t i = 1; i < with.size(); ++i) rate += with[i] * std::pow(fill, i);
  const double none = std::exp(static_cast<double>(n) * std::log1p(-equal / bits / bits));
  return 1.0 - none + none * rate;
}

/// The rate of a filter: `rate`, that of independent positions, with what the arithmetic changes.
/// The samples end at the standard error, relatively, or at their most.
double with_excess(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k, double rate, double error) {
  constexpr int batch = 512;
  constexpr std::uint64_t large = std::uint64_t{1} << 50;
  const int most = static_cast<int>(std::clamp<std::uint64_t>((1U << 18U) / k, batch, 16384));
  if (k < 2 || m < 2 || m > large) return rate;
  const Even even(m, n, k);
  Sampler sampler(strides, m, k);
  if (even.pairs() > 1.0) return few_keys_fpr(sampler, n);
  OwnRepeats own(sampler, even);
  Meetings meetings(sampler, even);
  const double plain = even.others(0.0);
  double sum = 0.0;
  double squares = 0.0;
  int rounds = 0;
  do {
    for (int i = 0; i < batch; ++i) {
      const double one = own.sample() + meetings.sample();
      sum += one;
      squares += one * one;
    }
    rounds += batch;
  } while (rounds < most &&
           squares - sum * sum / rounds > std::pow(error * (plain * rounds + sum), 2.0));
  const double independent = own.of_independent() + meetings.of_independent();
  const double scale = rate > 0.0 && plain > 0.0 ? rate / plain : 1.0;
  return rate + (sum / rounds - independent) * scale;
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
                   std::uint64_t k, double error) {
  const double hashes = 0x1p32;
  const double equal = -std::expm1(static_cast<double>(n) * std::log1p(-1.0 / hashes));
  const auto different = static_cast<std::uint64_t>(
      std::clamp(std::round(equal * hashes), 1.0, static_cast<double>(n)));
  const double crowded = RotatedPositions(strides.rotation, m, different, k).rate() /
                         std::max(approx_fpr(m, different, k), 1e-300);
  const double inner =
      with_excess(strides, m, different, k,
                  crowded * reduced_range_fpr(std::uint64_t{1} << 32U, m, different, k), error);
  return std::clamp(equal + (1.0 - equal) * inner, 0.0, 1.0);
}

}  // namespace

double strided_fpr(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k, double error) {
  detail::require_filter("strides", m, k);
  detail::require(k <= max_exact_probes, "strides", "more than 256 probes");
  detail::require(strides.word_bits <= 64 && strides.rotation < 32, "strides",
                  "words of more than 64 bits, or turned by more than 31");
  if (n == 0) return 0.0;
  if (strides.rotation > 0) return rotated_fpr(strides, m, n, k, error);
  // A signed word of which the sign is folded leaves 2^(W-1) values.
  const bool folded = strides.fold != SignFold::unsigned_word;
  const double even = strides.word_bits == 32
                          ? reduced_range_fpr(std::uint64_t{1} << (folded ? 31U : 32U), m, n, k)
                          : exact_fpr(m, n, k);
  return std::clamp(with_excess(strides, m, n, k, even, error), 0.0, 1.0);
}

}  // namespace bloomlab::theory
