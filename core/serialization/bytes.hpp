// Numbers and texts as bytes: little-endian on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/serialization/format_error.hpp"

namespace bloomlab {

/// Appends to a vector of bytes.
class ByteWriter {
 public:
  void number(std::uint64_t value, int bytes);
  /// The length in 2 bytes, then the letters. Precondition: fewer than 2^16 letters.
  void text(std::string_view value);
  void append(std::span<const std::byte> bytes);
  [[nodiscard]] const std::vector<std::byte>& bytes() const& noexcept { return bytes_; }
  void bytes() const&& = delete;
  [[nodiscard]] std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads from the front of bytes that it does not own. Every member throws FormatError, naming
/// `what`, where there are too few bytes left; nothing is allocated before that is known.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number(int bytes, std::string_view what);
  [[nodiscard]] std::string text(std::string_view what);
  [[nodiscard]] std::span<const std::byte> take(std::uint64_t bytes, std::string_view what);
  /// Bytes not yet read.
  [[nodiscard]] std::uint64_t left() const noexcept { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace bloomlab
