// The filters whose bytes are kept in tests/core/golden: what a release wrote, all later ones read.
#pragma once

#include "core/catalogue.hpp"
#include "tests/core/serialization_support.hpp"

namespace bloomlab::test {

/// Keys in each of them.
inline constexpr std::size_t golden_keys = 20;
inline constexpr std::uint64_t golden_seed = 0x0123456789abcdef;

/// Calls `use(filter)` for each of them.
template <class Use>
void for_each_golden(Use&& use) {
  constexpr std::size_t n = golden_keys;
  use(filled<Standard>({.m = 200, .k = 3}, n));
  use(filled<Partitioned>({.m = 200, .k = 3}, n));
  use(filled<Blocked>(Blocked::examples().front(), n));
  use(filled<SplitBlock>({.m = 512}, n));
  use(filled<Multiblock>({.m = 512, .k = 4}, n));
  use(filled<Counting>({.m = 100, .k = 3, .counter_bits = 4}, n));
  use(filled<Spectral>({.m = 50, .k = 3, .method = SpectralMethod::recurring_minimum}, n));
  use(filled<Scalable>({.target = 0.1, .tightening = 0.5, .growth = 2, .first_capacity = 8}, n));
  use(filled<ScalablePartitioned>(
      {.target = 0.1, .tightening = 0.5, .growth = 2, .first_capacity = 8}, n));
  use(filled<ScalableUntightened>({.m = 64, .k = 3, .fp = 0.1}, n));
  use(filled<Dynamic>({.m = 64, .k = 3, .capacity = 8}, n));
  use(filled<Folded>({.m = 200, .k = 3, .folded_to = 130}, n));
  use(filled<Compressed>({.m = 200, .k = 3}, n));
  use(filled<Cuckoo>({.fingerprint_bits = 12, .bucket_size = 4, .buckets = 8}, n));
  use(filled<XorFilter>({.fingerprint_bits = 8}, n));
  use(filled<BinaryFuse>({.arity = 3, .fingerprint_bits = 8}, n));
  use(filled<Ribbon>({.width = 64, .result_bits = 7, .overhead = 0.2}, n));
  use(filled<FingerprintTable>({.capacity = 20}, n));
  use(filled<DigestSet>({.capacity = 20}, n));
}

}  // namespace bloomlab::test
