#include "experiments/peers/peer.hpp"

#include <algorithm>

#include "core/parameters.hpp"
#include "record/grid.hpp"

namespace bloomlab::experiments {

std::uint64_t peer_bits(std::uint64_t n, double bits_per_key) {
  return record::ceil_per_n(bits_per_key, n);
}

std::uint64_t best_probes(double bits_per_key) {
  constexpr double ln_2 = 0.693147180559945309;
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(bits_per_key * ln_2 + 0.5), 1,
                                   max_probes);
}

}  // namespace bloomlab::experiments
