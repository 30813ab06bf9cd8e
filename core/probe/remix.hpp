// Remix: all positions from one word, multiplied anew for every probe.
// Sources: the scheme is that of RocksDB's Bloom filters (Dillinger 2019); Steele, Vigna 2021,
// "Computationally easy, spectrally good multipliers for congruential pseudorandom number
// generators", for the multiplier.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/digests.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/reduction/reduce_words.hpp"
#include "core/simd/positions.hpp"
#include "core/simd/remix_step.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// Position i is the reduction of w_i: w_0 is word 0 and w_{i+1} = (w_i ^ (w_i >> 32)) c + d, a
/// bijection, so that no word is lost from probe to probe. The product carries low bits to the high
/// ones and the shift high bits to the low ones: either end of w_{i+1} depends on bits of w_i that
/// its reduction did not show, and no lattice lies in (w_0, w_1, ...) as it does in a chain of
/// products alone; d saves the word 0 from staying 0.
struct Remix {
  static constexpr std::string_view name = "remix";
  static constexpr std::string_view summary = "one word, shifted and multiplied anew a probe";
  static constexpr std::string_view source =
      "the scheme: RocksDB's Bloom filters (Dillinger 2019); multiplier: Steele, Vigna 2021, "
      "Computationally easy, spectrally good multipliers";
  static constexpr bool prefix_stable = true;
  static constexpr bool needs_identity = false;
  static constexpr int only_k = 0;
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 1}; }
  [[nodiscard]] static int fingerprint_words(int /*k*/) noexcept { return 1; }
  [[nodiscard]] static std::optional<theory::Query> prediction(std::uint64_t /*m*/,
                                                               std::uint64_t /*n*/,
                                                               std::uint64_t /*k*/) {
    return std::nullopt;
  }

  /// The word of the next probe.
  [[nodiscard]] static constexpr std::uint64_t next(std::uint64_t word) noexcept {
    return simd::RemixStep::next(word);
  }

  /// The walk (core/probe/walk.hpp) from word to word.
  template <class Reduction>
  class Walk {
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
    [[nodiscard]] std::uint64_t position(const State& state, int /*i*/) const noexcept {
      return state.position;
    }

   private:
    [[nodiscard]] State at(std::uint64_t word) const noexcept { return {word, reduce_(word)}; }

    const std::uint64_t* words_;
    Reduction reduce_;
  };

  template <class Reduction>
  [[nodiscard]] static Walk<Reduction> walk(const DigestBatch& digests, std::uint64_t m) noexcept {
    return {digests, m};
  }

  /// next[j] becomes the word of the probe after words[j], and positions[j] the position that it
  /// gives. `next` may be where the words are.
  template <class Reduction>
  static void step(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* next,
                   std::uint64_t* positions) noexcept {
    if constexpr (std::is_same_v<Reduction, MultiplyShift>) {
      simd::step_remixed(words, m, next, positions);
    } else {
      const Reduction reduce(m);
      for (std::size_t j = 0; j < words.size(); ++j) {
        next[j] = Remix::next(words[j]);
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
