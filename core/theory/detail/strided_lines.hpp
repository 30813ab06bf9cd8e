// Lines of 512 bits in which a key takes k positions a + i b, for core/theory/double_hashing.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/theory/detail/binomial_mixture.hpp"
#include "core/theory/detail/stride_sampler.hpp"

namespace bloomlab::theory::detail {

/// The bits of a line.
class StridedLine {
 public:
  static constexpr unsigned bits = 512;

  void set(std::uint64_t position) {
    words_[position % bits / 64] |= std::uint64_t{1} << position % 64;
  }

  /// Of the queries (a, b), each of [0, 512), the share that has more than `few` positions and all
  /// k of them set. Reversed, a query of stride b has the positions of one of stride -b: half of
  /// the strides are enough.
  [[nodiscard]] double covered(std::uint64_t k, unsigned few) const {
    int hits = 0;
    for (unsigned b = 1; b < bits / 2; ++b) {
      if (b % (bits / few) != 0) hits += 2 * runs(b, k);
    }
    return hits / (double{bits} * bits);
  }

 private:
  /// Bits moved down by `by`: position p holds what was at p + by.
  [[nodiscard]] StridedLine moved(std::uint64_t by) const {
    const std::size_t whole = by / 64;
    const auto rest = static_cast<unsigned>(by % 64);
    StridedLine result;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t here = words_[(i + whole) % words_.size()];
      const std::uint64_t next = words_[(i + whole + 1) % words_.size()];
      result.words_[i] = rest == 0 ? here : here >> rest | next << (64 - rest);
    }
    return result;
  }

  void keep_common(const StridedLine& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  /// How many a have a, a + b, ... a + (k - 1) b set: by runs of 1, 2, 4, ... positions.
  [[nodiscard]] int runs(std::uint64_t b, std::uint64_t k) const {
    StridedLine run = *this;
    std::uint64_t length = 1;
    for (; 2 * length <= k; length *= 2) run.keep_common(run.moved(length * b % bits));
    run.keep_common(run.moved((k - length) * b % bits));
    int count = 0;
    for (const std::uint64_t word : run.words_) count += std::popcount(word);
    return count;
  }

  std::array<std::uint64_t, bits / 64> words_{};
};

/// Samples of the rate of many such lines, for queries of more than `few` positions: loads by the
/// quantiles of their binomial law, one line filled for each, all its queries counted.
class StridedLines {
 public:
  StridedLines(std::uint64_t lines, std::uint64_t n, std::uint64_t k, unsigned few)
      : loads_({static_cast<double>(n), 1.0 / static_cast<double>(lines),
                1.0 - 1.0 / static_cast<double>(lines)}),
        k_(k),
        few_(few) {}

  /// The mean of `count` of them, one in each of as many equal parts of the law.
  [[nodiscard]] double mean(int count) {
    double sum = 0.0;
    double below = loads_.pmf().front();
    std::size_t at = 0;
    for (int i = 0; i < count; ++i) {
      const double part = (i + samples_.fraction()) / count;
      while (below < part && at + 1 < loads_.pmf().size()) below += loads_.pmf()[++at];
      sum += one(loads_.first() + at);
    }
    return sum / count;
  }

 private:
  [[nodiscard]] double one(std::uint64_t load) {
    constexpr std::uint64_t positions = 40 * std::uint64_t{StridedLine::bits};
    if (load * k_ > positions) return 1.0 - 1.0 * few_ / StridedLine::bits;  // all bits are set
    StridedLine line;
    for (std::uint64_t key = 0; key < load; ++key) {
      const std::uint64_t word = samples_.word();
      for (std::uint64_t i = 0; i < k_; ++i) line.set((word >> 9U) + i * (word >> 40U));
    }
    return line.covered(k_, few_);
  }

  BinomialWindow loads_;
  std::uint64_t k_;
  unsigned few_;
  Samples samples_;
};

}  // namespace bloomlab::theory::detail
