// Hashing schemes with a defect, for the probes of core: how k positions come from the words of a
// digest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bits/block_layouts.hpp"
#include "core/probe/double_hashing_odd.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/planes.hpp"

namespace bloomlab::experiments {

/// The base of families whose word for probe i is `Derived::word(digests, i, j)` of key j.
template <class Derived>
struct DerivedWords : Independent {
  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    const Reduction reduce(m);
    for (int i = 0; i < k; ++i) {
      std::uint64_t* const plane = out + static_cast<std::size_t>(i) * digests.size;
      for (std::size_t j = 0; j < digests.size; ++j) {
        plane[j] = reduce(Derived::word(digests, i, j));
      }
    }
  }
};

/// The base of those that have one word a key.
template <class Derived>
struct OneWord : DerivedWords<Derived> {
  [[nodiscard]] static DigestNeed need(int /*k*/) noexcept { return {.words = 1}; }
  [[nodiscard]] static std::uint64_t word(const DigestBatch& digests, int i,
                                          std::size_t j) noexcept {
    return Derived::word(digests.word(0)[j], i);
  }
};

/// Every function of the family under the same seed: all positions are one.
struct EqualSeeds : OneWord<EqualSeeds> {
  static constexpr std::string_view name = "equal_seeds";
  using OneWord::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int /*i*/) noexcept {
    return digest;
  }
};

/// The number of the function added to the digest, not to the seed: neighbouring positions.
struct SeedAddedLast : OneWord<SeedAddedLast> {
  static constexpr std::string_view name = "seed_added_last";
  using OneWord::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    return digest + static_cast<std::uint64_t>(i);
  }
};

/// Positions from a digest of which only 32 bits are left: two keys in 2^32 are one.
struct DigestOf32Bits : OneWord<DigestOf32Bits> {
  static constexpr std::string_view name = "digest_of_32_bits";
  using OneWord::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    // A stream seeded with both: independent words, as many as are wanted, from one digest.
    BitStream stream((digest & 0xffffffffU) | static_cast<std::uint64_t>(i) << 32);
    return stream.take(63) << 1;
  }
};

/// The digest turned by a byte from probe to probe: what one shows, the next one shows again.
struct TurnedDigest : OneWord<TurnedDigest> {
  static constexpr std::string_view name = "turned_digest";
  using OneWord::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    return std::rotl(digest, 8 * i);
  }
};

/// A hash of 32 bits and the same, turned, as stride; sums wrap at 32 bits (LevelDB).
template <int turn>
struct TurnedStride : OneWord<TurnedStride<turn>> {
  static constexpr std::string_view name = "turned_stride";
  using OneWord<TurnedStride<turn>>::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    const auto first = static_cast<std::uint32_t>(digest);
    return static_cast<std::uint32_t>(first +
                                      static_cast<std::uint32_t>(i) * std::rotl(first, turn));
  }
};

/// Each number is the one before, times an odd constant (Knuth's, of MMIX): the lowest bits of the
/// first are those of all.
struct Chained : OneWord<Chained> {
  static constexpr std::string_view name = "chained";
  using OneWord::word;
  [[nodiscard]] static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    for (int step = 0; step <= i; ++step) digest *= 6364136223846793005U;
    return digest;
  }
};

/// A loop that begins one too late: the second position is the first one again.
struct FirstProbeTwice : DerivedWords<FirstProbeTwice> {
  static constexpr std::string_view name = "first_probe_twice";
  [[nodiscard]] static std::uint64_t word(const DigestBatch& digests, int i,
                                          std::size_t j) noexcept {
    return digests.word(i == 0 ? 0 : i - 1)[j];
  }
};

/// The stride's lowest bit cleared where it should be set.
struct EvenStride {
  static constexpr std::string_view theory_word = "any";
  template <class Reduction>
  static constexpr bool allows = true;
  [[nodiscard]] static StrideSet of(std::uint64_t m) noexcept { return {0, 2, (m + 1) / 2}; }
  [[nodiscard]] static bool has_closed_form(std::uint64_t /*m*/) noexcept { return false; }
};
struct EvenStrides : Strided<EvenStride> {
  static constexpr std::string_view name = "even_strides";
};

/// Double hashing whose stride is the offset again: a key has one of m sets of positions.
struct StrideEqualsOffset : DoubleHashingOdd {
  static constexpr std::string_view name = "stride_equals_offset";

  [[nodiscard]] static DigestNeed need(int /*k*/) noexcept { return {.words = 1}; }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    reduce_words(Reduction(m), digests.word(0), out);
    for (int i = 1; i < k; ++i) {
      const std::uint64_t* const before = out + static_cast<std::size_t>(i - 1) * digests.size;
      std::uint64_t* const plane = out + static_cast<std::size_t>(i) * digests.size;
      for (std::size_t j = 0; j < digests.size; ++j) {
        plane[j] = modular_sum(before[j], out[j], m);
      }
    }
  }
};

}  // namespace bloomlab::experiments
