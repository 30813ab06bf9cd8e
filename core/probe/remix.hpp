// Remix: all positions from one word, multiplied anew for every probe.
// Sources: the scheme is that of RocksDB's Bloom filters (Dillinger 2019); Steele, Vigna 2021,
// "Computationally easy, spectrally good multipliers for congruential pseudorandom number
// generators", for the multiplier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/stepped.hpp"

namespace bloomlab {

/// Position i is the reduction of w_i: w_0 is word 0 and w_{i+1} = (w_i ^ (w_i >> 32)) c + d. The
/// product carries low bits to the high ones and the shift high bits to the low ones: either end of
/// w_{i+1} depends on bits of w_i that its reduction did not show, and no lattice lies in (w_0,
/// w_1,
/// ...) as it does in a chain of products alone; d saves the word 0 from staying 0.
struct Remix : Stepped<simd::remix_step> {
  static constexpr std::string_view name = "remix";
  static constexpr std::string_view summary = "one word, shifted and multiplied anew a probe";
  static constexpr std::string_view source =
      "the scheme: RocksDB's Bloom filters (Dillinger 2019); multiplier: Steele, Vigna 2021, "
      "Computationally easy, spectrally good multipliers";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;

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
};

}  // namespace bloomlab
