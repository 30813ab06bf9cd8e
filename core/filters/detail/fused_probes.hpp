// Which probes a filter fuses with its memory: those that are fast enough for it to matter.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/digests.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/probe/double_hashing_nz.hpp"
#include "core/probe/double_hashing_odd.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/probe.hpp"
#include "core/probe/products.hpp"
#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/type_list.hpp"

namespace bloomlab::detail {

/// Families with a walk(); fused with the reduction multiply_shift. All others go by planes.
using FusedFamilies = TypeList<DoubleHashing, DoubleHashingNz, DoubleHashingOdd,
                               EnhancedDoubleHashing, Remix, Products, Independent>;

/// Calls `use(make)` where the probe is a fused one, with make(digests, m) its walk over the
/// digests to [0, m); otherwise returns false.
template <class Use>
[[nodiscard]] bool with_walk(const Probe& probe, Use&& use) {
  bool fused = false;
  bloomlab::for_each_type<FusedFamilies>([&]<class Family>(std::type_identity<Family>) {
    if (fused || probe != Probe::of<Family, MultiplyShift>()) return;
    fused = true;
    use([](const DigestBatch& digests, std::uint64_t m) {
      return Family::template walk<MultiplyShift>(digests, m);
    });
  });
  return fused;
}

}  // namespace bloomlab::detail
