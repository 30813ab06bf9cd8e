// Reusable storage of the key sources that make their keys on demand.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomlab::experiments {

/// Keys asked for at once by the engine; a buffer of this many values is what a stream of keys
/// costs a thread.
inline constexpr std::size_t keys_per_batch = 8192;

/// One a thread. Holds the batch that a source returned last.
struct KeyBuffer {
  std::vector<std::uint64_t> values;
};

}  // namespace bloomlab::experiments
