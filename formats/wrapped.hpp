// What saved filters are sent in: gzip, zlib, base64, hex.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bloomlab::formats {

/// What is opened, by name.
inline constexpr std::array<std::string_view, 4> wrapper_names = {"gzip", "zlib", "base64", "hex"};

/// Most wrappers around one another that are opened.
inline constexpr std::size_t most_wrappers = 2;

/// Most that a wrapper may hold [bytes].
inline constexpr std::uint64_t most_opened_bytes = std::uint64_t{1} << 28;

/// A wrapper's name and what was in it.
struct Opened {
  std::string_view wrapper;
  std::vector<std::byte> bytes;
};

/// What is in the wrapper; nothing where the bytes are none: a text of fewer than 16 letters is no
/// base64 and no hex, and bytes that only begin like zlib are not zlib. Base64 is that of RFC 4648
/// in either alphabet, in lines or not, with its padding or without; hex may begin with 0x or \x.
/// Throws FormatError for gzip that is damaged, for both that were cut off or that others follow,
/// and for more than most_opened_bytes.
[[nodiscard]] std::optional<Opened> open_wrapper(std::span<const std::byte> bytes);

}  // namespace bloomlab::formats
