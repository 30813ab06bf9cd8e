// Lookups by the vector kernel of the hashing schemes that go from word to word
// (core/simd/remix_rounds.hpp), as filters of bits and of counters use it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/digests.hpp"
#include "core/probe/probe.hpp"
#include "core/probe/products.hpp"
#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/remix_rounds.hpp"

namespace bloomlab::detail {

/// Whether there is a kernel for this probe and m cells on this processor.
[[nodiscard]] inline bool has_remixed_kernel(const Probe& probe, std::uint64_t m) {
  const bool has_steps =
      probe == Probe::of<Remix, MultiplyShift>() || probe == Probe::of<Products, MultiplyShift>();
  return has_steps && simd::has_remix_rounds(m);
}

/// The step from word to word of this probe. Precondition: has_remixed_kernel().
[[nodiscard]] inline simd::WordStep word_step_of(const Probe& probe) {
  return probe.family() == Remix::name ? Remix::word_step : Products::word_step;
}

/// Calls `use(first, keys)` for one chunk after the other: the keys that are reported, as indices
/// from the chunk's first key on, ascending. Precondition: has_remixed_kernel().
template <class Use>
void for_each_remixed(const simd::RemixedBits& bits, std::span<const std::uint64_t> filter,
                      const DigestBatch& digests, Use&& use) {
  std::array<std::uint16_t, simd::remix_round_keys> keys;
  for (std::size_t first = 0; first < digests.size; first += keys.size()) {
    const DigestBatch chunk = digests.slice(first, std::min(keys.size(), digests.size - first));
    const std::size_t left = simd::find_remixed(bits, chunk.word(0), filter, keys);
    use(first, std::span<const std::uint16_t>(keys.data(), left));
  }
}

}  // namespace bloomlab::detail
