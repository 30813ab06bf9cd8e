// Small filters of strided positions that are filled and then queried, for core/theory/strides.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "core/theory/detail/stride_sampler.hpp"

namespace bloomlab::theory::detail {

/// The positions for a and b in [0, m); every probe is a step further than the one before.
inline void place(const std::vector<Probe>& probes, Whole a, Whole b, Whole m,
                  std::vector<Whole>& at) {
  at.clear();
  Whole steps = modulo(probes.front().from_b * b, m);
  for (const Probe& probe : probes) {
    at.push_back(probe.at(probe.from_a * a + steps, m));
    steps += steps + b < m ? b : b - m;
  }
}

/// Whether words wrap without a trace, and nothing else is done to a + i b modulo m.
inline bool is_textbook(const StrideArithmetic& strides, std::uint64_t m) {
  const bool leaves_no_trace =
      strides.word_bits == 0 ||
      (std::has_single_bit(m) && m - 1 <= ~std::uint64_t{0} >> (64U - strides.word_bits));
  return leaves_no_trace && strides.fold == SignFold::unsigned_word && !strides.squares &&
         !strides.stride_alone;
}

/// m bits in a ring, of which 64 are read at once.
class Ring {
 public:
  explicit Ring(Whole m) : m_(m), words_(static_cast<std::size_t>((m + 63) / 64 + 2)) {}

  void clear() { std::ranges::fill(words_, std::uint64_t{0}); }
  void set(Whole at) {
    for (; at < m_ + 64; at += m_) {
      words_[static_cast<std::size_t>(at) / 64] |= std::uint64_t{1} << at % 64;
    }
  }
  /// Bits at, at + 1, ..., the lowest first.
  [[nodiscard]] std::uint64_t from(Whole at) const {
    const auto word = static_cast<std::size_t>(at) / 64;
    const auto shift = static_cast<unsigned>(at % 64);
    const std::uint64_t low = words_[word] >> shift;
    return shift == 0 ? low : low | words_[word + 1] << (64U - shift);
  }

 private:
  Whole m_;
  std::vector<std::uint64_t> words_;  ///< the first bits once more behind the last
};

/// Rates of filters of n keys, by samples: each is queried with some strides, from every first
/// position.
class FilledFilter {
 public:
  FilledFilter(Sampler& sampler, std::uint64_t n)
      : sampler_(sampler), n_(n), bits_(sampler.m()), turned_(sampler.m()) {
    const bool show = sampler.wraps_show();
    const Whole most = std::min({sampler.k() - 1, sampler.m(), show ? longest_word : longest});
    for (Whole period = 1; period <= most; ++period) {
      if (show || sampler.m() % period == 0) periods_.push_back(period);
    }
    if (show) near_ = std::min(0.5, 5.0 / static_cast<double>(sampler.k()));
  }

  /// What one sample costs, in positions.
  static double work(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    const auto bits = static_cast<double>(m);
    return 2.0 * static_cast<double>(n) * static_cast<double>(k) +
           strides * (bits / 8.0 + static_cast<double>(k));
  }

  /// The mean over queries of a filter that is filled anew. Of their strides some are a key's own,
  /// or that one backwards, and one repeats its positions after few; which is weighed out.
  double sample() {
    fill();
    double sum = 0.0;
    for (int i = 0; i < strides; ++i) {
      const std::optional<Stride> stride = i == 0 ? repeating_stride() : any_stride(i <= of_keys);
      if (stride) sum += hits(*stride) / likelier(*stride);
    }
    return sum / (static_cast<double>(sampler_.m()) * strides);
  }

 private:
  static constexpr int strides = 8;
  static constexpr int of_keys = 4;
  static constexpr Whole longest = 30;
  static constexpr Whole longest_word = 12;

  /// b modulo m, and the word b as a share of 2^W.
  struct Stride {
    Whole b;
    double word;
  };

  Stride any_stride(bool of_key) {
    if (!of_key) return {sampler_.samples().below(sampler_.m()), sampler_.word()};
    const Whole key = sampler_.samples().below(2 * static_cast<Whole>(n_));
    const Stride& stride = strides_[static_cast<std::size_t>(key / 2)];
    return around(key % 2 == 0 ? stride : backwards(stride));
  }

  /// A stride of which r steps come back, short periods r below k likelier than long ones: r b is a
  /// multiple of m, or j wraps more. None where there is none for the r and j drawn.
  std::optional<Stride> repeating_stride() {
    double left = sampler_.samples().fraction() * weights();
    std::size_t at = 0;
    while (at + 1 < periods_.size() && (left -= weight_of(periods_[at])) > 0.0) ++at;
    const Whole period = periods_[at];
    const Whole wraps = sampler_.samples().below(period);
    Stride stride = {0, static_cast<double>(wraps) / static_cast<double>(period)};
    if (sampler_.solve(period, turns(wraps), stride.b) == 0) return std::nullopt;
    return around(stride);
  }

  [[nodiscard]] Whole turns(Whole wraps) const {
    return modulo(wraps * sampler_.turn(), sampler_.m());
  }
  [[nodiscard]] Stride backwards(const Stride& stride) const {
    return {modulo(sampler_.turn() - stride.b, sampler_.m()), 1.0 - stride.word};
  }
  /// With the same positions but for wraps: a word near that one, beyond 2^W from 0 on.
  [[nodiscard]] Stride around(const Stride& stride) {
    if (is_anywhere()) return {stride.b, sampler_.word()};
    const double word = stride.word + near_ * (2.0 * sampler_.samples().fraction() - 1.0);
    const double beyond = std::floor(word);
    return {modulo(stride.b - turns(static_cast<Whole>(beyond)), sampler_.m()), word - beyond};
  }

  /// Calls `visit` with the stride, and with those beyond 2^W and below 0 that stand for it, and
  /// adds up what it gives.
  template <class Visit>
  [[nodiscard]] double over_words(const Stride& stride, Visit&& visit) const {
    if (is_anywhere()) return visit(stride);
    double sum = 0.0;
    for (const Whole beyond : {-1, 0, 1}) {
      sum += visit({modulo(stride.b + turns(beyond), sampler_.m()),
                    stride.word + static_cast<double>(beyond)});
    }
    return sum;
  }
  [[nodiscard]] bool is_anywhere() const { return near_ >= 0.5; }
  [[nodiscard]] bool is_near(double word, double other) const {
    return is_anywhere() || std::abs(word - other) < near_;
  }

  /// How much likelier a stride is drawn than at random.
  [[nodiscard]] double likelier(const Stride& stride) const {
    const double by_keys = over_words(stride, [this](const Stride& at) {
      double count = 0.0;
      for (const Stride& key : strides_) {
        const Stride turned = backwards(key);
        count += key.b == at.b && is_near(key.word, at.word) ? 1.0 : 0.0;
        count += turned.b == at.b && is_near(turned.word, at.word) ? 1.0 : 0.0;
      }
      return count / (2.0 * static_cast<double>(n_));
    });
    const double repeating =
        over_words(stride, [this](const Stride& at) { return repeating_share(at); });
    const double bits = static_cast<double>(sampler_.m()) / (2.0 * near_);
    return (strides - of_keys - 1 + bits * (of_keys * by_keys + repeating)) / strides;
  }

  /// P(the repeating stride is drawn before a word near it is).
  [[nodiscard]] double repeating_share(const Stride& stride) const {
    double share = 0.0;
    for (const Whole period : periods_) {
      const auto r = static_cast<double>(period);
      const Whole back = product(stride.b, period, sampler_.m());
      for (Whole wraps = 0; wraps < period; ++wraps) {
        if (back == turns(wraps) && is_near(static_cast<double>(wraps) / r, stride.word)) {
          share += weight_of(period) / r / static_cast<double>(std::gcd(period, sampler_.m()));
        }
      }
    }
    return share / weights();
  }

  /// Long periods are rare where many keys are, but not where few have one of their own.
  static double weight_of(Whole period) {
    return std::ldexp(1.0, -static_cast<int>(period)) + 0.0625;
  }

  [[nodiscard]] double weights() const {
    double sum = 0.0;
    for (const Whole period : periods_) sum += weight_of(period);
    return sum;
  }

  void fill() {
    const Whole m = sampler_.m();
    bits_.clear();
    turned_.clear();
    strides_.clear();
    for (std::uint64_t key = 0; key < n_; ++key) {
      const double word = sampler_.draw(probes_);
      const Whole a = sampler_.samples().below(m);
      const Whole b = sampler_.stride_for(a);
      place(probes_, a, b, m, at_);
      for (const Whole at : at_) {
        bits_.set(at);
        turned_.set(at == 0 ? 0 : m - at);
      }
      strides_.push_back({b, word});
    }
  }

  /// Of the queries with the stride b, one for each a, how many are reported: 64 of them at once.
  /// Those that a rotation ties to b count as often as there are such strides.
  double hits(const Stride& stride) {
    const Whole m = sampler_.m();
    const Whole b = stride.b;
    sampler_.draw_by(stride.word, probes_);
    at_.clear();
    Whole steps = modulo(probes_.front().from_b * b, m);
    for (const Probe& probe : probes_) {
      at_.push_back(modulo(steps - probe.away + probe.flip, m));
      steps += steps + b < m ? b : b - m;
    }
    Whole count = 0;
    for (Whole a = 0; a < m; a += 64) {
      std::uint64_t all = m - a < 64 ? (std::uint64_t{1} << (m - a)) - 1 : ~std::uint64_t{0};
      for (std::size_t i = 0; i < at_.size() && all != 0; ++i) {
        const Ring& ring = probes_[i].sign > 0 ? bits_ : turned_;
        const Whole from = at_[i] + probes_[i].from_a * a;
        // A probe of the stride alone has one position for all a.
        const std::uint64_t found = ring.from(from < m ? from : from - m);
        all &= probes_[i].from_a != 0 ? found : std::uint64_t{0} - (found & 1U);
      }
      if (!sampler_.is_tied()) {
        count += std::popcount(all);
      } else {
        for (; all != 0; all &= all - 1) count += sampler_.weight(a + std::countr_zero(all), b);
      }
    }
    return static_cast<double>(count);
  }

  Sampler& sampler_;
  std::uint64_t n_;
  Ring bits_;
  Ring turned_;                 ///< the bits at -x
  std::vector<Whole> periods_;  ///< of repeating strides
  double near_ = 0.5;           ///< how far a word b is drawn from another; 0.5: anywhere
  std::vector<Stride> strides_;
  std::vector<Probe> probes_;
  std::vector<Whole> at_;
};

/// The rate where what few keys share with a query is no small change of it.
class FewKeys {
 public:
  FewKeys(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : most_(static_cast<std::uint64_t>(all_work / FilledFilter::work(m, n, k))),
        sampler_(strides, m, k),
        filter_(sampler_, n) {}
  FewKeys(const FewKeys&) = delete;
  FewKeys& operator=(const FewKeys&) = delete;

  /// Whether keys are so few, or meet a query in two positions so often, and the filter is small.
  static bool of(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    constexpr std::uint64_t few = 64;
    constexpr double many_filters = 100.0;
    constexpr double least_filters = 24.0;
    const auto bits = static_cast<double>(m);
    const double pairs = static_cast<double>(k) * static_cast<double>(k - 1);
    const bool meet_often = static_cast<double>(n) * pairs * pairs > 2.0 * bits * bits;
    const double filters = all_work / FilledFilter::work(m, n, k);
    return k >= 2 && m >= 2 &&
           ((n <= few && filters >= many_filters) || (meet_often && filters >= least_filters));
  }

  /// The mean over as many filters as give this relative standard error, or as are not too many:
  /// for a rough one an eighth of these.
  [[nodiscard]] double rate(double error) {
    constexpr double rough = 0.02;
    const auto enough = [&](const GrowingSums::Sums& sums) {
      const auto filters = static_cast<double>(sums.count);
      if (sums.count >= most_) return true;
      if (!(sums.sum > 0.0)) return false;
      return (error > rough && sums.count >= most_ / 8) ||
             sums.squares - sums.sum * sums.sum / filters <= std::pow(error * sums.sum, 2.0);
    };
    const auto grow = [this](GrowingSums::Sums& sums) {
      for (int i = 0; i < batch; ++i) sums.add(filter_.sample());
    };
    return std::min(sums_.until(enough, grow).mean(), 1.0);
  }

 private:
  static constexpr double all_work = 0x1p22;
  static constexpr int batch = 32;

  std::uint64_t most_;
  Sampler sampler_;
  FilledFilter filter_;
  GrowingSums sums_;
};

}  // namespace bloomlab::theory::detail
