// A hash of eight bytes a step, mixed by the finalizer of SplitMix.
// Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest_planes.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// Word 0 depends on the seed, the length and every byte of the key.
struct SplitMix {
  static constexpr std::string_view name = "split_mix";
  static constexpr int digest_bits = 64;
  static constexpr bool takes_seed = true;
  static constexpr bool passes_through = false;
  static constexpr std::string_view source =
      "Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators (own code)";
  using Digest = std::array<std::uint64_t, 1>;

  [[nodiscard]] static Digest digest(std::span<const std::byte> key, std::uint64_t seed);
  static void digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out);
};

}  // namespace bloomlab
