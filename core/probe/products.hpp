// Products: every position from a product of one word and a constant of the probe's own, so that no
// position waits for the one before.
// Sources: Dietzfelbinger, Hagerup, Katajainen, Penttonen 1997, "A reliable randomized algorithm
// for the closest-pair problem", for hashing by the high bits of a product; Steele, Vigna 2021,
// "Computationally easy, spectrally good multipliers for congruential pseudorandom number
// generators", for the multiplier.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/digests.hpp"
#include "core/parameters.hpp"
#include "core/probe/stepped.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab {

/// Position i is floor(w_i m / 2^64) with w_i = w c^i mod 2^64, w word 0 of the digest: high bits,
/// which depend on all bits of w. The words of a key lie in a lattice, whose points c spreads
/// evenly in up to eight dimensions: a hash of 64 mixed bits has the rate of independent positions
/// as far as the tests see (tests/core/hashing_schemes.cpp). Low bits are those of w alone, so that
/// other reductions are refused.
struct Products : Stepped<simd::product_step> {
  static constexpr std::string_view name = "products";
  static constexpr std::string_view summary = "one word times a constant of the probe's own";
  static constexpr std::string_view source =
      "own, of multiplicative hashing (Dietzfelbinger et al. 1997) and the multipliers of Steele, "
      "Vigna 2021, Computationally easy, spectrally good multipliers";
  template <class Reduction>
  static constexpr bool allows = std::is_same_v<Reduction, MultiplyShift>;

  /// c^i mod 2^64.
  static constexpr std::array<std::uint64_t, max_probes> powers = [] {
    std::array<std::uint64_t, max_probes> result{};
    std::uint64_t power = 1;
    for (std::uint64_t& one : result) {
      one = power;
      power = next(power);
    }
    return result;
  }();

  /// The walk (core/probe/walk.hpp) of products.
  template <class Reduction>
  class Walk {
   public:
    struct State {
      std::uint64_t word;
      std::uint64_t position;
    };

    Walk(const DigestBatch& digests, std::uint64_t m) noexcept
        : words_(digests.word(0).data()), reduce_(m) {}

    [[nodiscard]] State first(std::size_t key) const noexcept {
      return {words_[key], reduce_(words_[key])};
    }
    void advance(State& state, std::size_t /*key*/, int i) const noexcept {
      state.position = reduce_(state.word * powers[static_cast<std::size_t>(i)]);
    }
    [[nodiscard]] std::uint64_t position(const State& state, int /*i*/) const noexcept {
      return state.position;
    }

   private:
    const std::uint64_t* words_;
    Reduction reduce_;
  };

  template <class Reduction>
  [[nodiscard]] static Walk<Reduction> walk(const DigestBatch& digests, std::uint64_t m) noexcept {
    return {digests, m};
  }
};

}  // namespace bloomlab
