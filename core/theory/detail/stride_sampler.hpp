// Keys of a stride's arithmetic by their wraps and signs, for core/theory/strides.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/theory/stride_arithmetic.hpp"

namespace bloomlab::theory::detail {

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
  /// Passes one word over.
  void skip() { state_ += 0x9e3779b97f4a7c15U; }

 private:
  std::uint64_t state_ = 0;
};

/// Sums of a sample that grows by batches, as they were after every one: a rough mean is read off
/// the first of them, and a finer one goes on from the last.
class GrowingSums {
 public:
  struct Sums {
    double sum = 0.0;
    double squares = 0.0;
    std::uint64_t count = 0;

    void add(double one) {
      sum += one;
      squares += one * one;
      ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };

  /// The first that are enough; `grow` adds a batch to the last ones.
  template <class Enough, class Grow>
  Sums until(Enough&& enough, Grow&& grow) {
    for (std::size_t at = 0;; ++at) {
      if (at == all_.size()) {
        Sums next = all_.empty() ? Sums{} : all_.back();
        grow(next);
        all_.push_back(next);
      }
      if (enough(all_[at])) return all_[at];
    }
  }

 private:
  std::vector<Sums> all_;
};

inline Whole modulo(Whole value, Whole m) {
  const Whole rest = value % m;
  return rest < 0 ? rest + m : rest;
}

/// a b modulo m, of factors in [0, m).
inline Whole product(Whole a, Whole b, Whole m) {
  __extension__ using Wide = __int128;
  return static_cast<Whole>(Wide{a} * b % m);
}

/// The inverse of a unit modulo m.
inline Whole inverse(Whole unit, Whole m) {
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

  /// The position of from_a a + from_b b, of which multiples of m may be left out: no division
  /// where what is left is near [0, m).
  [[nodiscard]] Whole at(Whole sum, Whole m) const {
    const Whole position = sign * (sum - away) - flip;
    if (position >= 0) return position < m ? position : modulo(position, m);
    return position + m >= 0 ? position + m : modulo(position, m);
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
    if (strides.rotation == 0) return;
    tied_ = std::gcd(m_, (Whole{1} << strides.word_bits) - 1);
    for (unsigned bit = 0; bit < strides.rotation; ++bit) factor_ = 2 * factor_ % tied_;
    unfactor_ = inverse(factor_, tied_);
  }

  [[nodiscard]] Whole m() const { return m_; }
  [[nodiscard]] Whole k() const { return k_; }
  Samples& samples() { return samples_; }

  /// What a wrap takes off: 2^W modulo m, or 0 where words never wrap.
  [[nodiscard]] Whole turn() const { return turn_; }
  /// Whether positions tell how large the word b is.
  [[nodiscard]] bool wraps_show() const {
    return strides_.word_bits > 0 && (turn_ != 0 || strides_.fold != SignFold::unsigned_word);
  }

  /// Wraps and signs; returns the word b as a share of 2^W.
  double draw(std::vector<Probe>& probes) {
    const double u = samples_.fraction();
    const double v = word();
    place(u, v, probes);
    return v;
  }
  /// Those of a word b.
  void draw_by(double word, std::vector<Probe>& probes) {
    place(samples_.fraction(), word, probes);
  }
  double word() { return strides_.word_bits > 0 ? samples_.fraction() : 0.0; }

  /// Whether a rotation ties b to a modulo a divisor of m.
  [[nodiscard]] bool is_tied() const { return tied_ > 1; }
  /// Whether words that are drawn without it are seldom so tied.
  [[nodiscard]] bool is_seldom_tied() const { return tied_ > 64; }

  /// How many times likelier (a, b) is than among all pairs: a rotation ties b to a.
  [[nodiscard]] Whole weight(Whole a, Whole b) const {
    if (tied_ == 1) return 1;
    return modulo(b - modulo(a, tied_) * factor_, tied_) == 0 ? tied_ : 0;
  }

  /// A stride for a, uniformly.
  [[nodiscard]] Whole stride_for(Whole a) {
    if (tied_ == 1) return samples_.below(m_);
    return modulo(modulo(modulo(a, tied_) * factor_, tied_) + tied_ * samples_.below(m_ / tied_),
                  m_);
  }
  /// A first position for b, uniformly.
  [[nodiscard]] Whole first_for(Whole b) {
    if (tied_ == 1) return samples_.below(m_);
    return modulo(modulo(b, tied_) * unfactor_, tied_) + tied_ * samples_.below(m_ / tied_);
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
  void place(double u, double v, std::vector<Probe>& probes) const {
    probes.resize(static_cast<std::size_t>(k_));
    for (Whole i = 0; i < k_; ++i) {
      const Whole step = i + strides_.first;
      Probe& probe = probes[static_cast<std::size_t>(i)];
      probe = {strides_.stride_alone && step == 1 ? 0 : 1, step, 0, 1, 0};
      const double turns = static_cast<double>(probe.from_a) * u + static_cast<double>(step) * v;
      const auto whole = static_cast<double>(static_cast<Whole>(turns));
      probe.away = wraps_[static_cast<std::size_t>(whole)];
      if (strides_.squares) probe.away -= step * step;
      if (strides_.fold == SignFold::unsigned_word || turns - whole < 0.5) continue;
      probe.away += turn_;  // a word from 2^(W-1) on stands for one that is 2^W less
      probe.sign = -1;
      probe.flip = strides_.fold == SignFold::complement ? 1 : 0;
    }
  }

  StrideArithmetic strides_;
  Whole m_;
  Whole k_;
  Whole turn_ = 0;            ///< 2^W modulo m
  std::vector<Whole> wraps_;  ///< its multiples
  Whole tied_ = 1;            ///< b is a times a factor modulo this,
  Whole factor_ = 1;          ///< 2^rotation
  Whole unfactor_ = 1;        ///< its inverse
  Samples samples_;
};

/// Two different indices below k, in any order.
inline std::pair<Whole, Whole> two_of(Sampler& sampler) {
  const Whole first = sampler.samples().below(sampler.k());
  const Whole second = sampler.samples().below(sampler.k() - 1);
  return {first, second + (second >= first)};
}

inline const Probe& probe_at(const std::vector<Probe>& probes, Whole index) {
  return probes[static_cast<std::size_t>(index)];
}

/// Of k positions, how many repeat an earlier one, and how many pairs are equal.
struct Repeats {
  Whole positions = 0;
  Whole pairs = 0;
};

inline Repeats repeats_in(std::vector<Whole>& at) {
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

}  // namespace bloomlab::theory::detail
