// The keys of a batch as bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/keys/key_batch.hpp"

namespace bloomlab::foreign {

/// Calls `use(std::string_view)` for every key, an integer as its little-endian bytes.
template <class Use>
void for_each_key(const KeyBatch& keys, Use use) {
  const auto length = static_cast<std::size_t>(keys.integer_bytes());
  for (const std::uint64_t& value : keys.values()) {
    use(std::string_view(reinterpret_cast<const char*>(&value), length));
  }
  for (const std::string_view text : keys.texts()) use(text);
}

}  // namespace bloomlab::foreign
