// What the hashing schemes share whose probes have words of their own, each made from the one
// before.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/reduction/reduce_words.hpp"
#include "core/simd/positions.hpp"
#include "core/simd/word_step.hpp"

namespace bloomlab {

/// Position i is the reduction of w_i: w_0 is word 0 of the digest, w_{i+1} = Step.next(w_i), a
/// bijection, so that no word is lost from probe to probe.
template <simd::WordStep Step>
struct Stepped : SchemeBase {
  static constexpr simd::WordStep word_step = Step;

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 1}; }
  [[nodiscard]] static int fingerprint_words(int /*k*/) noexcept { return 1; }

  /// The walk (core/probe/walk.hpp) from word to word.
  template <class Reduction>
  class Walk : public HeldPosition {
   public:
    struct State {
      std::uint64_t word;
      std::uint64_t position;
    };

    Walk(const DigestBatch& digests, std::uint64_t m) noexcept
        : words_(digests.word(0).data()), reduce_(m) {}

    [[nodiscard]] State first(std::size_t key) const noexcept { return at(words_[key]); }
    void advance(State& state, std::size_t /*key*/, int /*i*/) const noexcept {
      state = at(next(state.word));
    }

   protected:
    [[nodiscard]] State at(std::uint64_t word) const noexcept { return {word, reduce_(word)}; }
    [[nodiscard]] std::uint64_t word_of(std::size_t key) const noexcept { return words_[key]; }

   private:
    const std::uint64_t* words_;
    Reduction reduce_;
  };

  template <class Reduction>
  [[nodiscard]] static Walk<Reduction> walk(const DigestBatch& digests, std::uint64_t m) noexcept {
    return {digests, m};
  }

  /// The word of the next probe.
  [[nodiscard]] static constexpr std::uint64_t next(std::uint64_t word) noexcept {
    return Step.next(word);
  }

  /// next[j] becomes the word of the probe after words[j], and positions[j] the position that it
  /// gives. `next` may be where the words are.
  template <class Reduction>
  static void step(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* next,
                   std::uint64_t* positions) noexcept {
    if constexpr (std::is_same_v<Reduction, MultiplyShift>) {
      simd::step_words(words, Step, m, next, positions);
    } else {
      const Reduction reduce(m);
      for (std::size_t j = 0; j < words.size(); ++j) {
        next[j] = Step.next(words[j]);
        positions[j] = reduce(next[j]);
      }
    }
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    std::array<std::uint64_t, block> stepped;
    for (std::size_t first = 0; first < digests.size; first += block) {
      const std::size_t count = std::min(block, digests.size - first);
      auto words = digests.word(0).subspan(first, count);
      reduce_words(Reduction(m), words, out + first);
      for (int i = 1; i < k; ++i) {
        std::uint64_t* plane = out + static_cast<std::size_t>(i) * digests.size + first;
        step<Reduction>(words, m, stepped.data(), plane);
        words = std::span(stepped).first(count);
      }
    }
  }

 private:
  static constexpr std::size_t block = 128;  // keys whose words wait in the L1 cache
};

}  // namespace bloomlab
