#include "core/filters/direct_bitmap.hpp"

#include <cstddef>
#include <stdexcept>

#include "core/require_places.hpp"

namespace bloomlab {

void DirectBitmap::insert(const KeyBatch& keys) {
  if (keys.size() != 0 && !keys.holds_integers()) {
    throw std::invalid_argument("direct_bitmap: the keys are texts; it takes integers only");
  }
  for (const std::uint64_t key : keys.values()) {
    if (key >= bits_.size()) {
      throw std::invalid_argument("direct_bitmap: the key " + std::to_string(key) +
                                  " is out of range; keys must be below " +
                                  std::to_string(bits_.size()));
    }
    bits_.set(key);
  }
}

void DirectBitmap::contains(const KeyBatch& keys, std::span<Answer> out) const {
  detail::require_places(keys.size(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool held = keys.holds_integers() && holds(keys.values()[i]);
    out[i] = held ? Answer::maybe : Answer::absent;
  }
}

std::uint64_t DirectBitmap::count_contained(const KeyBatch& keys) const {
  std::uint64_t count = 0;
  for (const std::uint64_t key : keys.values()) count += holds(key) ? 1 : 0;
  return count;
}

FilterState DirectBitmap::state() const {
  const std::uint64_t bits_set = bits_.popcount();
  return {.bits = bits_.size(),
          .bits_set = bits_set,
          .memory_bits = bits_.memory_bits(),
          .conditional_rate = 0.0,
          .layers = {{bits_.size(), bits_set, bits_set, 1}}};
}

}  // namespace bloomlab
