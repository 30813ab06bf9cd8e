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
#include "core/simd/one_key_products.hpp"

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

  /// c^i mod 2^64. Some more than are used, as several are read at once.
  static constexpr std::array<std::uint64_t, max_probes + simd::products_at_once> powers = [] {
    std::array<std::uint64_t, max_probes + simd::products_at_once> result{};
    std::uint64_t power = 1;
    for (std::uint64_t& one : result) {
      one = power;
      power = next(power);
    }
    return result;
  }();

  /// The walk (core/probe/walk.hpp) of products, which keeps the first word.
  template <class Reduction>
  class Walk : public Stepped::Walk<Reduction> {
    using Base = Stepped::Walk<Reduction>;

   public:
    Walk(const DigestBatch& digests, std::uint64_t m) noexcept : Base(digests, m), m_(m) {}
    void advance(typename Base::State& state, std::size_t /*key*/, int i) const noexcept {
      state.position = this->at(state.word * powers[static_cast<std::size_t>(i)]).position;
    }

    /// The positions of key number `key` from probe number `i` on.
    template <class Some>
    [[gnu::always_inline]] [[nodiscard]] Some some(std::size_t key, int i) const noexcept {
      return {this->word_of(key), powers.data() + i, m_};
    }

   private:
    std::uint64_t m_;
  };

  template <class Reduction>
  [[nodiscard]] static Walk<Reduction> walk(const DigestBatch& digests, std::uint64_t m) noexcept {
    return {digests, m};
  }
};

}  // namespace bloomlab
