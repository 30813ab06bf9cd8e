#include "core/serialization/bytes.hpp"

#include <algorithm>

namespace bloomlab {

void ByteWriter::number(std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void ByteWriter::text(std::string_view value) {
  number(value.size(), 2);
  append(std::as_bytes(std::span(value)));
}

void ByteWriter::append(std::span<const std::byte> bytes) {
  const std::size_t before = bytes_.size();
  bytes_.resize(before + bytes.size());
  std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(before));
}

std::span<const std::byte> ByteReader::take(std::uint64_t bytes, std::string_view what) {
  if (bytes > rest_.size()) {
    std::string text(what);
    text += ": " + std::to_string(bytes) + " bytes are needed, " + std::to_string(rest_.size()) +
            " are left";
    throw FormatError(text);
  }
  const std::span<const std::byte> taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

std::uint64_t ByteReader::number(int bytes, std::string_view what) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const std::byte byte : take(static_cast<std::uint64_t>(bytes), what)) {
    value |= std::to_integer<std::uint64_t>(byte) << shift;
    shift += 8;
  }
  return value;
}

std::string ByteReader::text(std::string_view what) {
  const auto letters = take(number(2, what), what);
  std::string value;
  for (const std::byte letter : letters) value.push_back(std::to_integer<char>(letter));
  return value;
}

}  // namespace bloomlab
