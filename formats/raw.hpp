// Bits without a header that is read here: the user says where they stand. Of the formats that are
// known but not read, their headers say it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// The bit of a byte that has its lowest position: the least or the most significant one.
enum class BitOrder { lsb, msb };

/// Where an array of bits stands.
struct RawBits {
  std::uint64_t m = 0;       ///< bits, 1 to 2^63
  std::uint64_t k = 0;       ///< probes per key, 1..256
  std::uint64_t offset = 0;  ///< where it begins [bytes]
  BitOrder order = BitOrder::lsb;
  std::uint64_t word_bytes = 1;  ///< it stands in big-endian words of 4 or 8; msb: 1
};

/// The array as a standard filter of an unknown hash. Order and words only tell which bits lie
/// behind position m - 1: they move a position within its word, and what is told does not depend on
/// that. Throws FormatError where the bytes do not hold the array, or bits behind m - 1 are set.
[[nodiscard]] StoredFilter read_raw(std::span<const std::byte> bytes, const RawBits& raw);

/// What bytes seem to be that no reader takes, and how to have their bits read, as one line;
/// nothing where they are of no format that is known by name.
[[nodiscard]] std::optional<std::string> named_format(std::span<const std::byte> bytes);

}  // namespace bloomlab::formats
