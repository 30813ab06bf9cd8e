// Remix: all positions from one word, multiplied anew for every probe.
// Sources: the scheme is that of RocksDB's Bloom filters (Dillinger 2019); Steele, Vigna 2021,
// "Computationally easy, spectrally good multipliers for congruential pseudorandom number
// generators", for the multiplier.
#pragma once

#include <string_view>

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
};

}  // namespace bloomlab
