// The five hash functions of the lab report (2021, "Bloom filter against scalable Bloom filter"):
// shifts and xor of a 32-bit signed key. Not a good hash: kept as it was, so that the report's
// tables can be reproduced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"
#include "core/reduction/modulo.hpp"

namespace bloomlab {

/// Position i is (((v >> a_i) ^ (v << b_i)) & 0x7fffffff) mod m, with v the key as a signed 32-bit
/// number, >> arithmetic, << within 32 bits. For m > 2^31 positions stay below 2^31.
struct LabShiftXor : SchemeBase {
  static constexpr std::string_view name = "lab_shift_xor";
  static constexpr std::string_view summary =
      "(((v >> a) ^ (v << b)) & 0x7fffffff) mod m, five pairs (a, b), signed 32-bit keys";
  static constexpr std::string_view source =
      "lab report 2021, Bloom filter against scalable Bloom filter";
  static constexpr bool needs_identity = true;
  static constexpr int only_k = 5;
  template <class Reduction>
  static constexpr bool allows = std::is_same_v<Reduction, Modulo>;

  struct Shifts {
    int right;
    int left;
  };
  static constexpr std::array<Shifts, only_k> shifts = {Shifts{3, 5}, Shifts{7, 11}, Shifts{13, 17},
                                                        Shifts{19, 23}, Shifts{29, 2}};

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 1}; }
  [[nodiscard]] static int fingerprint_words(int /*k*/) noexcept { return 0; }

  /// The value before the reduction, below 2^31.
  [[nodiscard]] static constexpr std::uint32_t mix(std::int32_t v, Shifts shift) noexcept {
    const auto right = static_cast<std::uint32_t>(v >> shift.right);
    const std::uint32_t left = static_cast<std::uint32_t>(v) << shift.left;
    return (right ^ left) & 0x7fffffffU;
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    const Reduction reduce(m);
    const std::uint64_t* words = digests.word(0).data();
    for (int i = 0; i < k; ++i) {
      const Shifts shift = shifts[static_cast<std::size_t>(i)];
      std::uint64_t* plane = out + static_cast<std::size_t>(i) * digests.size;
      for (std::size_t j = 0; j < digests.size; ++j) {
        plane[j] =
            reduce(mix(static_cast<std::int32_t>(static_cast<std::uint32_t>(words[j])), shift));
      }
    }
  }
};

}  // namespace bloomlab
