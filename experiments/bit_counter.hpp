// How often each bit is set among many words ("positional population count"), by carry-save
// addition: the counters of one bit place stand bit-sliced in planes, so that one addition serves
// all places at once. Source: Clausecker, Lemire, Schintke 2024, "Faster positional-population
// counts for AVX2, AVX-512, and ASIMD", arXiv 2412.16370 (the idea; no code of it is here).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace bloomlab::experiments {

/// Counts set bits by place. Word is an unsigned integer type; totals()[i] is for bit i of a word.
template <class Word>
class BitCounter {
 public:
  static constexpr std::size_t places = std::numeric_limits<Word>::digits;
  using Totals = std::array<std::uint64_t, places>;

  /// Adds the words.
  void add(std::span<const Word> words) {
    while (words.size() >= block) {
      if (blocks_ == max_blocks) flush();
      add_block(words.data());
      ++blocks_;
      words = words.subspan(block);
    }
    for (const Word word : words) add_word(word);
  }

  /// Counts so far.
  [[nodiscard]] Totals totals() {
    flush();
    return totals_;
  }

 private:
  static constexpr std::size_t lanes = 64 / sizeof(Word);
  static constexpr std::size_t block = 4 * lanes;
  static constexpr std::size_t planes = 12;
  static constexpr std::size_t max_blocks = ((std::size_t{1} << planes) - 1) / 4;
  using Vector = std::array<Word, lanes>;

  void add_word(Word word) noexcept {
    while (word != 0) {
      ++totals_[static_cast<std::size_t>(std::countr_zero(word))];
      word = static_cast<Word>(word & (word - 1));
    }
  }

  /// Adds four words a lane: two full adders of weight 1, one of weight 2, then the carries of
  /// weight 4 ripple up.
  void add_block(const Word* words) noexcept {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Word a = words[lane];
      const Word b = words[lanes + lane];
      const Word c = words[2 * lanes + lane];
      const Word d = words[3 * lanes + lane];
      Word sum = planes_[0][lane];
      const Word half_ab = a ^ b;
      const Word twos_ab = (a & b) | (sum & half_ab);
      sum ^= half_ab;
      const Word half_cd = c ^ d;
      const Word twos_cd = (c & d) | (sum & half_cd);
      planes_[0][lane] = sum ^ half_cd;
      const Word half_twos = twos_ab ^ twos_cd;
      Word carry = (twos_ab & twos_cd) | (planes_[1][lane] & half_twos);
      planes_[1][lane] ^= half_twos;
      for (std::size_t plane = 2; plane < planes; ++plane) {
        const Word next = planes_[plane][lane] & carry;
        planes_[plane][lane] ^= carry;
        carry = next;
      }
    }
  }

  /// Moves the bit-sliced counters into the totals.
  void flush() noexcept {
    if (blocks_ == 0) return;
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (const Word word : planes_[plane]) {
        for (std::size_t place = 0; place < places; ++place) {
          totals_[place] += static_cast<std::uint64_t>((word >> place) & 1) << plane;
        }
      }
      planes_[plane].fill(0);
    }
    blocks_ = 0;
  }

  std::array<Vector, planes> planes_{};
  Totals totals_{};
  std::size_t blocks_ = 0;
};

}  // namespace bloomlab::experiments
