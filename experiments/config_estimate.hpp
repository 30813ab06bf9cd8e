// What a config will cost, before it is run.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/config.hpp"
#include "experiments/unit.hpp"

namespace bloomlab::experiments {

/// The figures of `bloomlab check`.
struct Estimate {
  std::uint64_t cells = 0;
  std::uint64_t memory_bytes = 0;  ///< keys and filters of the largest pass; a job holds one pass
  double seconds = 0.0;  ///< on one thread of this machine, within a factor of a few: it rests on a
                         ///< short measurement of the hashes used and on rough costs of a probe
};

/// Filter and keys of one cell [bytes]; 2^64 - 1 for more.
struct CellMemory {
  std::uint64_t filter_bytes = 0;
  std::uint64_t key_bytes = 0;

  [[nodiscard]] std::uint64_t total() const;
};

/// Memory of one trial of the cell.
[[nodiscard]] CellMemory cell_memory(const Config& config, const Cell& cell);

/// Memory of one trial of cells that are measured in one pass: as of one cell, and where the pass
/// is k-sliced the array of all filters in place of the filter.
[[nodiscard]] CellMemory pass_memory(const Config& config, const Slice& slice);

/// The figures for a config. Takes some milliseconds a hash.
[[nodiscard]] Estimate estimate(const Config& config);

/// A size with an IEC prefix and three digits: "512 B", "1.50 KiB", "23.4 GiB".
[[nodiscard]] std::string iec_bytes(std::uint64_t bytes);

}  // namespace bloomlab::experiments
