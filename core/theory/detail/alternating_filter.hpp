// One sampled filter of alternating strides, for core/theory/alternating_strides.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/theory/detail/stride_sampler.hpp"

namespace bloomlab::theory::detail {

/// A word: its residue modulo m, and how far it is on its way to 2^63.
struct AlternatingWord {
  std::uint64_t residue;
  double fraction;
};

/// A filter of m bits that is filled with keys and then queried, both by samples.
class AlternatingFilter {
 public:
  AlternatingFilter(std::uint64_t m, std::uint64_t k)
      : m_(m),
        turn_((std::uint64_t{1} << 63U) % m),
        of_both_(k - k / 2),
        of_sum_(k / 2),
        set_(m / 64 + 1),
        keys_(m) {}

  void fill(Samples& samples, std::uint64_t n) {
    std::ranges::fill(set_, std::uint64_t{0});
    for (const std::uint64_t sum : sums_) keys_[sum] = 0;
    sums_.clear();
    const auto insert = [this](std::uint64_t at) {
      set_[at / 64] |= std::uint64_t{1} << at % 64;
      return true;
    };
    for (std::uint64_t key = 0; key < n; ++key) {
      const AlternatingWord sum = word(samples);
      walk({0, 0.0}, sum, of_sum_, insert);
      from(word(samples), sum, insert);
      sums_.push_back(sum.residue);
      ++keys_[sum.residue];
    }
    count_fills();
  }

  /// The mean of `queries` samples. A quarter of them has the sum of a key, which is weighed out.
  /// What queries owe to meeting one key in two positions counts `near` times: 1, or the share by
  /// which it is less in the larger filter that is meant, since it falls as 1/m.
  double rate(Samples& samples, std::uint64_t queries, double near) {
    const double share = static_cast<double>(m_) / static_cast<double>(sums_.size());
    const auto test = [this](std::uint64_t at) { return is_set(at); };
    double total = 0.0;
    for (std::uint64_t query = 0; query < queries; ++query) {
      const bool of_key = query % 4 == 0;
      // The first position is the sum itself: where it is not set, nothing else counts.
      const std::uint64_t residue = below(samples, m_);
      if (!of_key && of_sum_ > 0 && !is_set(residue)) {
        samples.skip();
        continue;
      }
      AlternatingWord sum = {residue, samples.fraction()};
      if (of_key) sum.residue = sums_[static_cast<std::size_t>(below(samples, sums_.size()))];
      if (!walk({0, 0.0}, sum, of_sum_, test)) continue;
      const double weight = 1.0 / (0.75 + 0.25 * share * static_cast<double>(keys_[sum.residue]));
      total += weight * rate_from(samples, sum, 1 + static_cast<int>(most_firsts * weight), near);
    }
    return total / static_cast<double>(queries);
  }

 private:
  static constexpr std::uint64_t classes = 128;
  static constexpr double many = 1024.0;  ///< first words of m from which on classes say enough
  static constexpr std::uint64_t costly = 2048;  ///< fills of classes that a query goes through
  static constexpr int most_firsts = 32;

  static std::uint64_t below(Samples& samples, std::uint64_t end) {
    return static_cast<std::uint64_t>(samples.below(static_cast<Whole>(end)));
  }
  AlternatingWord word(Samples& samples) const { return {below(samples, m_), samples.fraction()}; }

  [[nodiscard]] bool is_set(std::uint64_t at) const { return (set_[at / 64] >> at % 64 & 1U) != 0; }

  /// `steps` positions from the one after `first` on, as long as `visit` holds.
  template <class Visit>
  bool walk(AlternatingWord first, const AlternatingWord& sum, std::uint64_t steps,
            Visit&& visit) const {
    for (std::uint64_t step = 0; step < steps; ++step) {
      first.residue += sum.residue;
      if (first.residue >= m_) first.residue -= m_;
      first.fraction += sum.fraction;
      if (first.fraction >= 1.0) {
        first.fraction -= 1.0;
        first.residue += first.residue >= turn_ ? 0 : m_;
        first.residue -= turn_;
      }
      if (!visit(first.residue)) return false;
    }
    return true;
  }

  template <class Visit>
  bool from(const AlternatingWord& first, const AlternatingWord& sum, Visit&& visit) const {
    return visit(first.residue) && walk(first, sum, of_both_ - 1, visit);
  }

  /// P(the positions of a query that have both words are set), for its sum.
  double rate_from(Samples& samples, const AlternatingWord& sum, int firsts, double near) const {
    if (near == 1.0 && fills_.size() * of_both_ > costly) {
      return rate_by_firsts(samples, sum, firsts);
    }
    const double of_classes = rate_by_classes(sum.residue);
    if (of_classes * static_cast<double>(m_) >= many) return of_classes;
    return of_classes + near * (rate_by_firsts(samples, sum, firsts) - of_classes);
  }

  double rate_by_firsts(Samples& samples, const AlternatingWord& sum, int firsts) const {
    const auto test = [this](std::uint64_t at) { return is_set(at); };
    int hits = 0;
    for (int i = 0; i < firsts; ++i) {
      const std::uint64_t first = below(samples, m_);
      if (is_set(first)) {
        hits += walk({first, samples.fraction()}, sum, of_both_ - 1, test) ? 1 : 0;
      } else {
        samples.skip();
      }
    }
    return static_cast<double>(hits) / firsts;
  }

  /// By the fill of the classes that positions go through, as if none met a key in two positions.
  [[nodiscard]] double rate_by_classes(std::uint64_t sum) const {
    double total = 0.0;
    for (std::uint64_t first = 0; first < fills_.size(); ++first) {
      double product = 1.0;
      for (std::uint64_t i = 0; i < of_both_; ++i) {
        product *= fills_[static_cast<std::size_t>((first + i * sum) % fills_.size())];
      }
      total += product;
    }
    return total / static_cast<double>(fills_.size());
  }

  /// Fill of the residues modulo the power of two that divides m and a multiplier.
  void count_fills() {
    std::uint64_t modulus = 1;
    while (m_ % (2 * modulus) == 0 && 2 * modulus <= std::min(of_sum_, classes)) modulus *= 2;
    fills_.assign(static_cast<std::size_t>(modulus), 0.0);
    std::vector<std::uint64_t> counts(fills_.size(), 0);
    const std::uint64_t step = std::min<std::uint64_t>(modulus, 64);
    std::uint64_t class_mask = 0;  // of every step-th bit
    for (std::uint64_t bit = 0; bit < 64; bit += step) class_mask |= std::uint64_t{1} << bit;
    for (std::size_t at = 0; at < set_.size(); ++at) {
      for (std::uint64_t i = 0; i < step; ++i) {
        counts[(64 * at + i) & (counts.size() - 1)] +=
            static_cast<std::uint64_t>(std::popcount(set_[at] & class_mask << i));
      }
    }
    const double size = static_cast<double>(m_) / static_cast<double>(modulus);
    for (std::size_t i = 0; i < fills_.size(); ++i)
      fills_[i] = static_cast<double>(counts[i]) / size;
  }

  std::uint64_t m_;
  std::uint64_t turn_;               ///< 2^63 modulo m
  std::uint64_t of_both_;            ///< positions a + i s, from i = 0 on
  std::uint64_t of_sum_;             ///< positions i s, from i = 1 on
  std::vector<std::uint64_t> set_;   ///< the bits
  std::vector<std::uint16_t> keys_;  ///< by the residue of their sum
  std::vector<std::uint64_t> sums_;
  std::vector<double> fills_;
};

}  // namespace bloomlab::theory::detail
