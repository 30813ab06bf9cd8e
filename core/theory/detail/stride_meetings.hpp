// What keys add that meet a query in several positions, for core/theory/strides.cpp.
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/theory/detail/filled_filter.hpp"
#include "core/theory/detail/stride_sampler.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::detail {

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
    Whole ways = of_a != 0 ? sampler_.solve(of_a, modulo(value - of_b * b, m), a)
                           : sampler_.solve(of_b, modulo(value, m), b);
    if (ways == 0) return 0.0;
    if (of_a == 0 && sampler_.is_seldom_tied()) {
      a = sampler_.first_for(b);  // any other would be none that the rotation makes
    } else {
      ways *= sampler_.weight(a, b);
    }
    if (ways == 0) return 0.0;
    const auto weight = static_cast<double>(ways);
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
      : sampler_(sampler),
        even_(even),
        pairs_(even.pairs()),
        near_(sampler.is_seldom_tied() ? 1.0 / even.probes : 0.0) {}

  double sample() {
    query_word_ = sampler_.draw(query_);
    const Whole at = sampler_.samples().below(sampler_.m());
    place(query_, at, sampler_.stride_for(at), sampler_.m(), asked_);
    const Key one = meet();
    const Key two = meet();
    return (alone(one) + alone(two) + together(one, two)) / 2.0;
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

  /// The second order of two keys.
  [[nodiscard]] double together(const Key& one, const Key& two) const {
    if (one.expected == 0.0 || two.expected == 0.0) return 0.0;
    const auto both = static_cast<double>((one.covered & two.covered).count());
    return one.expected * two.expected * even_.gain(size(one), size(two), both);
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

  /// Wraps of the key, and how much likelier they were drawn than at random: half of them of a word
  /// b near the query's where a key with the query's words modulo m is a rare one.
  double draw_key() {
    if (near_ == 0.0) {
      sampler_.draw(key_);
      return 1.0;
    }
    double word = sampler_.samples().fraction();
    if (sampler_.samples().below(2) == 0) word = query_word_ + near_ * (2.0 * word - 1.0);
    word -= std::floor(word);
    const double away = std::abs(word - query_word_);
    sampler_.draw_by(word, key_);
    return 0.5 + (std::min(away, 1.0 - away) < near_ ? 0.25 / near_ : 0.0);
  }

  Key meet() {
    const Whole m = sampler_.m();
    const Drawn drawn = draw_probes();
    const double likelier = drawn.likelier * draw_key();
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
    key.expected =
        even_.keys * combinations * combinations * static_cast<double>(weight) / (pairs * likelier);
    return key;
  }

  /// The positions in common; returns how many ordered pairs of meetings have different probes on
  /// both sides, as they were drawn.
  double cover(Key& key) {
    double meetings = 0.0;
    double shared = 0.0;
    // Few positions are in common: most of the others are told by their lowest bits.
    constexpr std::size_t lowest = 2048;
    std::bitset<lowest> near;
    for (const Whole at : set_) near.set(static_cast<std::size_t>(at) % lowest);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (!near.test(static_cast<std::size_t>(asked_[i]) % lowest)) continue;
      const auto hits = static_cast<double>(std::ranges::count(set_, asked_[i]));
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
  double near_;   ///< how far the word b of half of the keys is from the query's; 0: anywhere
  double query_word_ = 0.0;  ///< the query's word b as a share of 2^W
  std::vector<Probe> query_;
  std::vector<Probe> key_;
  std::vector<Whole> asked_;
  std::vector<Whole> set_;
};

}  // namespace bloomlab::theory::detail
