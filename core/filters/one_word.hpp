// What filters that take one digest word per key share: the loops over a batch and a second mixing
// of the word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/require_places.hpp"

namespace bloomlab::detail {

/// Another word from `word`, a different function for every `number`: a bijection of the word.
/// Source of the constants: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
/// generators" (variant 13 of Stafford's finalizers).
[[nodiscard]] constexpr std::uint64_t remix(std::uint64_t word, std::uint64_t number) noexcept {
  std::uint64_t x = word + (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Writes what `holds(word)` says of every key. Throws std::invalid_argument where out.size() !=
/// digests.size.
template <class Holds>
void answer_each(const DigestBatch& digests, std::span<Answer> out, Holds&& holds) {
  detail::require_places(digests.size, out.size());
  if (digests.size == 0) return;
  const std::span<const std::uint64_t> words = digests.word(0);
  for (std::size_t j = 0; j < words.size(); ++j) {
    out[j] = holds(words[j]) ? Answer::maybe : Answer::absent;
  }
}

/// How many keys of the batch `holds(word)` is true of.
template <class Holds>
[[nodiscard]] std::uint64_t count_each(const DigestBatch& digests, Holds&& holds) {
  if (digests.size == 0) return 0;
  std::uint64_t count = 0;
  for (const std::uint64_t word : digests.word(0)) count += holds(word) ? 1 : 0;
  return count;
}

/// Most keys of a filter that is built at once: slots fit a double exactly, and sizes 64 bits.
inline constexpr std::uint64_t max_static_keys = std::uint64_t{1} << 40;

/// Throws std::length_error where a static filter cannot be built from that many keys.
inline void require_buildable(std::string_view filter, std::uint64_t n) {
  if (n <= max_static_keys) return;
  std::string text(filter);
  text += ": " + std::to_string(n) + " keys are too many to build it from; at most " +
          std::to_string(max_static_keys) + " are allowed";
  throw std::length_error(text);
}

}  // namespace bloomlab::detail
