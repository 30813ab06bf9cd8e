// What a config will cost, before it is run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/config/cell_memory.hpp"
#include "experiments/config/config.hpp"
#include "experiments/engine/unit.hpp"

namespace bloomlab::experiments {

/// How many times the queries of the first run a confirmation of its flags asks, over all trials.
inline constexpr std::uint64_t confirmation_factor = 10;

/// The figures of `bloomlab check`.
struct Estimate {
  std::uint64_t cells = 0;
  std::uint64_t memory_bytes = 0;  ///< keys and filters of the largest pass; a job holds one pass
  double seconds = 0.0;  ///< on one thread of this machine, within a factor of a few: it rests on a
                         ///< short measurement of the hashes used and on rough costs of a probe
  double confirmation_seconds = 0.0;  ///< more, where all cells that may be flagged by the config's
                                      ///< expected_flags are flagged, and so measured again
  std::vector<std::string> notes = {};  ///< where the cells are other than a reader may think
};

/// Memory of one trial of cells that are measured in one pass: as of one cell, and where the pass
/// is k-sliced the array of all filters in place of the filter.
[[nodiscard]] CellMemory pass_memory(const Config& config, const Slice& slice);

/// The figures for a config. Takes some milliseconds a hash.
[[nodiscard]] Estimate estimate(const Config& config);

}  // namespace bloomlab::experiments
