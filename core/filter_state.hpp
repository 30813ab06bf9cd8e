// What a filter says of itself after the inserts: counts, and the rate that they imply.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomlab {

/// One layer of a filter that grows; a filter that does not grow has one.
struct LayerState {
  std::uint64_t bits = 0;      ///< size m of the layer [bits]
  std::uint64_t bits_set = 0;  ///< its set bits
  std::uint64_t keys = 0;      ///< keys stored in it
  std::uint64_t probes = 0;    ///< its k

  friend bool operator==(const LayerState&, const LayerState&) = default;
};

/// The state of a filter. Same counts give the same doubles on every machine.
struct FilterState {
  std::uint64_t bits = 0;         ///< filter bits, over all layers
  std::uint64_t bits_set = 0;     ///< set bits, over all layers
  std::uint64_t memory_bits = 0;  ///< bits allocated for them (rounded up to words)
  /// False-positive rate of this very filter for a key with ideal probes: (X/m)^k for a standard
  /// filter, the compound 1 - prod(1 - rate_i) over layers.
  double conditional_rate = 0.0;
  std::vector<LayerState> layers = {};
  std::uint64_t refused = 0;  ///< keys that a filter of fixed room turned away (cuckoo)
  /// Bits that the filter takes when it is sent: as its entropy coder really encodes it
  /// (compressed); 0 for filters that are sent as they are.
  std::uint64_t transmitted_bits = 0;

  friend bool operator==(const FilterState&, const FilterState&) = default;
};

}  // namespace bloomlab
