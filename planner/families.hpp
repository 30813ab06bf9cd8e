// Every filter of the catalogue as the planner sizes it. A new filter of the catalogue is one more
// function here and a line in families().
#pragma once

#include <cstdint>
#include <vector>

#include "planner/shape.hpp"

namespace bloomlab::planner {

/// The families for a goal, in the order of the catalogue.
[[nodiscard]] std::vector<Family> families(const Goal& goal);

/// Largest k that may be best for the goal: a little above log2(1/p), or (m/n) ln 2.
[[nodiscard]] std::uint64_t most_probes(const Goal& goal);

/// Every k that may be best, the likeliest first: log2(1/p) downwards, then what is above.
[[nodiscard]] std::vector<std::uint64_t> probe_counts(const Goal& goal);

/// The standard filter that the goal leads to; m = 0 where it would pass the largest filter.
struct StandardSize {
  std::uint64_t m = 0;
  std::uint64_t k = 1;
};
/// @param bits_per_place how many bits of the memory a place takes
[[nodiscard]] StandardSize standard_size(const Goal& goal, std::uint64_t bits_per_place = 1);

// Bits that any probe addresses.
[[nodiscard]] Family standard_family(const Goal& goal);
/// With exactly these m and k.
[[nodiscard]] Family standard_family(std::uint64_t n, std::uint64_t m, std::uint64_t k);
[[nodiscard]] Family partitioned_family(const Goal& goal);
[[nodiscard]] Family folded_family(const Goal& goal);
[[nodiscard]] Family compressed_family(const Goal& goal);
// Blocks of a cache line or less.
[[nodiscard]] Family blocked_family(const Goal& goal);
[[nodiscard]] Family register_blocked_family(const Goal& goal);
[[nodiscard]] Family cache_sectorized_family(const Goal& goal);
[[nodiscard]] Family split_block_family(const Goal& goal);
[[nodiscard]] Family multiblock_family(const Goal& goal);
// Counters.
[[nodiscard]] Family counting_family(const Goal& goal);
[[nodiscard]] Family spectral_family(const Goal& goal);
// Layers.
[[nodiscard]] Family scalable_family(const Goal& goal);
[[nodiscard]] Family scalable_partitioned_family(const Goal& goal);
[[nodiscard]] Family scalable_untightened_family(const Goal& goal);
[[nodiscard]] Family dynamic_family(const Goal& goal);
// Fingerprints.
[[nodiscard]] Family cuckoo_family(const Goal& goal);
[[nodiscard]] Family xor_family(const Goal& goal);
[[nodiscard]] Family binary_fuse_family(const Goal& goal);
[[nodiscard]] Family ribbon_family(const Goal& goal);
[[nodiscard]] Family fingerprint_table_family(const Goal& goal);
[[nodiscard]] Family digest_set_family(const Goal& goal);
// The keys themselves.
[[nodiscard]] std::vector<Family> exact_families(const Goal& goal);

}  // namespace bloomlab::planner
