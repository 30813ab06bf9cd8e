// Reusable storage of the key sources that make their keys on demand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::experiments {

/// Keys asked for at once by the engine; a buffer of this many values is what a stream of keys
/// costs a thread.
inline constexpr std::size_t keys_per_batch = 8192;

/// One a thread. Holds the batch that a source returned last: values, or texts in characters.
struct KeyBuffer {
  std::vector<std::uint64_t> values;
  std::string characters;
  std::vector<std::string_view> texts;
};

}  // namespace bloomlab::experiments
