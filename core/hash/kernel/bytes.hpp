// How the hashes read the bytes of a key: little-endian on every machine.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bloomlab::detail {

/// The bytes of `value` in little-endian order, wherever it is run.
[[gnu::always_inline]] inline std::uint64_t little_endian(std::uint64_t value) noexcept {
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap64(value);
  return value;
}

/// The 8 bytes at `bytes` as a little-endian number.
[[gnu::always_inline]] inline std::uint64_t load_little_endian(const std::byte* bytes) noexcept {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return little_endian(value);
}

/// The 4 bytes at `bytes` as a little-endian number.
[[gnu::always_inline]] inline std::uint32_t load_little_endian_32(const std::byte* bytes) noexcept {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap32(value);
  return value;
}

/// The `count` bytes at `bytes`, at most as many as a `Word` has, as a little-endian number.
template <std::unsigned_integral Word>
[[gnu::always_inline]] inline Word load_rest(const std::byte* bytes, std::size_t count) noexcept {
  Word word = 0;
  for (std::size_t i = count; i-- > 0;) word = (word << 8) | std::to_integer<Word>(bytes[i]);
  return word;
}

/// The 8 bytes whose little-endian number a key is.
struct KeyBytes {
  std::byte bytes[8];
  [[gnu::always_inline]] explicit KeyBytes(std::uint64_t key) noexcept {
    const std::uint64_t ordered = little_endian(key);
    std::memcpy(bytes, &ordered, sizeof bytes);
  }
};

}  // namespace bloomlab::detail
