#include "core/filters/direct_bitmap.hpp"

#include <cstddef>
#include <stdexcept>

#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"
#include "core/require_places.hpp"

namespace bloomlab {

std::vector<DirectBitmap::Parameters> DirectBitmap::examples() {
  return {{.range = 100000}, {.range = 4097}, {.range = std::uint64_t{1} << 32}};
}

std::optional<std::string> DirectBitmap::check(const Parameters& p) {
  if (p.range >= 1 && p.range <= max_filter_bits) return std::nullopt;
  return detail::out_of_range(name, "range", p.range, max_filter_bits);
}

std::uint64_t DirectBitmap::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return BitArray::memory_bits_for(p.range);
}

theory::Query DirectBitmap::prediction(const Parameters& /*p*/, std::uint64_t n) {
  return {"exact_set", {{"n", n}}};
}

Sizing<DirectBitmap::Parameters> DirectBitmap::sizing(const SizingGoal& /*goal*/) {
  return {.traits = {.grows = true, .exact = true},
          .unavailable = "needs integer keys below a known bound: one bit for each possible key"};
}

LinesRead DirectBitmap::lines(const Parameters& /*p*/, std::uint64_t /*n*/) { return {1.0, 1.0}; }

DirectBitmap::DirectBitmap(const Parameters& p)
    : parameters_(p), bits_(detail::require(p.range, check(p))) {}

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
