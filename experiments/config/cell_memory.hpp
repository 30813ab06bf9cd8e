// The memory that a cell needs.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/config/config.hpp"

namespace bloomlab::experiments {

/// Filter and keys of one cell [bytes]; 2^64 - 1 for more.
struct CellMemory {
  std::uint64_t filter_bytes = 0;
  std::uint64_t key_bytes = 0;

  [[nodiscard]] std::uint64_t total() const;
};

/// Memory of one trial of the cell.
[[nodiscard]] CellMemory cell_memory(const Config& config, const Cell& cell);

/// A size with an IEC prefix and three digits: "512 B", "1.50 KiB", "23.4 GiB".
[[nodiscard]] std::string iec_bytes(std::uint64_t bytes);

}  // namespace bloomlab::experiments
