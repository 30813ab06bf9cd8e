// The caches of a machine as they show in latencies: what the system reports of caches may be
// another machine's, or shared with others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bloomlab::experiments {

/// Latency of a load whose address the load before gave, in a working set of so many bytes.
struct LatencyRung {
  std::uint64_t bytes = 0;
  double latency_ns = 0.0;
};

/// Measures rungs from 8 KiB on, each about half as large again, up to `largest_bytes`; some two
/// seconds for 256 MiB, which it allocates.
[[nodiscard]] std::vector<LatencyRung> measure_latencies(std::uint64_t largest_bytes);

/// The last rungs that fit into a cache each: all larger sets are slower by more than a quarter.
/// Caches are at least four times apart; of several rises nearer to each other, as where a
/// neighbour has taken a part of a cache, the steepest is the cache's end. @param ladder by
/// increasing size
[[nodiscard]] std::vector<LatencyRung> cache_rungs(std::span<const LatencyRung> ladder);

}  // namespace bloomlab::experiments
