// Numbers as Java and Go write them, with the largest byte first.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "core/serialization/bytes.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// `where`: `what`, as FormatError.
[[noreturn]] inline void refuse_bytes(std::string_view where, const std::string& what) {
  std::string text(where);
  text += ": " + what;
  throw FormatError(text);
}

/// The next number of `count` bytes, 1 to 8. Throws FormatError.
[[nodiscard]] inline std::uint64_t take_big(ByteReader& in, int count, std::string_view what) {
  std::uint64_t value = 0;
  for (const std::byte byte : in.take(static_cast<std::uint64_t>(count), what)) {
    value = value << 8 | std::to_integer<std::uint64_t>(byte);
  }
  return value;
}

/// Whether there are `count` bytes at a place.
[[nodiscard]] inline bool has_at(std::span<const std::byte> bytes, std::uint64_t place,
                                 std::uint64_t count) noexcept {
  return count <= bytes.size() && place <= bytes.size() - count;
}

/// What stands for a number that is not there.
inline constexpr std::uint64_t no_number = ~std::uint64_t{0};

/// The number of `count` bytes at a place; no_number where there are fewer.
[[nodiscard]] inline std::uint64_t big_at(std::span<const std::byte> bytes, std::uint64_t place,
                                          int count) {
  if (!has_at(bytes, place, static_cast<std::uint64_t>(count))) return no_number;
  ByteReader in(bytes.subspan(place));
  return take_big(in, count, "number");
}

/// All that is left as words of 8 bytes, of which there must be `words`. Throws FormatError.
[[nodiscard]] inline StoredWords take_big_words(ByteReader& in, std::uint64_t words) {
  if (in.left() % 8 != 0 || in.left() / 8 != words) {
    refuse_bytes("bits", "its header says " + std::to_string(words) + " words of 8 bytes, " +
                             std::to_string(in.left()) + " bytes are there; it was cut off, or " +
                             "altered");
  }
  return {in.take(in.left(), "bits"), std::endian::big};
}

/// A number of probes as a header says it. Throws FormatError outside 1..256.
[[nodiscard]] inline std::uint64_t checked_probes(std::uint64_t k) {
  if (k >= 1 && k <= max_probes) return k;
  refuse_bytes("k", "found " + std::to_string(k) + "; probes per key are 1 to " +
                        std::to_string(max_probes));
}

inline void append_big(ByteWriter& out, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) out.number(value >> (8 * i) & 0xff, 1);
}

}  // namespace bloomlab::formats
