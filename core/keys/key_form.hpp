// How a program's own types become keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// A type for which its namespace has a function `filter_key(const Type&)` that returns what a
/// filter takes: an integer, a text or a span of bytes (of the value itself, not of a temporary).
template <class Type>
concept HasKeyForm = requires(const Type& value) {
  {filter_key(value)};
}
&&(
    requires(const Type& value) {
      { filter_key(value) } -> std::integral;
    } ||
    requires(const Type& value) {
      { filter_key(value) } -> std::convertible_to<std::string_view>;
    } ||
    requires(const Type& value) {
      { filter_key(value) } -> std::convertible_to<std::span<const std::byte>>;
    });

/// A seed that nobody knows beforehand, for filters whose keys may be chosen to meet. It makes a
/// search for such keys useless; keys that collide under every seed, as those of the Murmur hashes,
/// need none: take SipHash13 with it. Two filters of different seeds cannot be merged.
[[nodiscard]] std::uint64_t random_seed();

namespace detail {

/// A key as its bytes or, of integers, as a word.
[[nodiscard]] inline std::span<const std::byte> plain_key(std::string_view key) noexcept {
  return std::as_bytes(std::span(key));
}
[[nodiscard]] inline std::span<const std::byte> plain_key(std::span<const std::byte> key) noexcept {
  return key;
}
template <std::integral Integer>
[[nodiscard]] std::uint64_t plain_key(Integer key) noexcept {
  return static_cast<std::uint64_t>(key);
}
template <HasKeyForm Value>
[[nodiscard]] auto plain_key(const Value& value) {
  return plain_key(filter_key(value));
}

/// Calls use(batch) with the batch of one key, an integer of 8 bytes or a text of these bytes.
template <class Use>
void with_batch_of_one(std::uint64_t key, Use&& use) {
  use(KeyBatch::integers({&key, 1}, 8));
}
template <class Use>
void with_batch_of_one(std::span<const std::byte> key, Use&& use) {
  const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
  use(KeyBatch::texts({&text, 1}));
}

}  // namespace detail
}  // namespace bloomlab
