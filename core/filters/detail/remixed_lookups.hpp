// Lookups by the vector kernel of the hashing schemes that go from word to word
// (core/simd/remix_rounds.hpp), as filters of bits and of counters use it.
#pragma once

#include <cstdint>

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

}  // namespace bloomlab::detail
