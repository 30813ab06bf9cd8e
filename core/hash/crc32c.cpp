#include "core/hash/crc32c.hpp"

#include <array>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/widened_32.hpp"

namespace bloomlab {
namespace {

using Table = std::array<std::uint32_t, 256>;

// tables[i][b]: what byte b does to the checksum when i more bytes follow.
constexpr std::array<Table, 8> make_tables() {
  constexpr std::uint32_t polynomial = 0x82f63b78U;  // bits reversed
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int i = 0; i < 8; ++i) rest = (rest >> 1) ^ ((rest & 1) != 0 ? polynomial : 0);
    tables[0][byte] = rest;
  }
  for (std::size_t i = 1; i < tables.size(); ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[i - 1][byte];
      tables[i][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> tables = make_tables();

std::uint32_t extended(std::uint32_t state, const std::byte* bytes, std::size_t length) noexcept {
  for (; length >= 8; bytes += 8, length -= 8) {
    const std::uint64_t word = detail::load_little_endian(bytes) ^ state;
    state = 0;
    for (std::size_t i = 0; i < 8; ++i) state ^= tables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (; length > 0; ++bytes, --length) {
    state = (state >> 8) ^ tables[0][(state ^ std::to_integer<std::uint32_t>(*bytes)) & 0xff];
  }
  return state;
}

}  // namespace

struct Crc32c::Function {
  std::uint32_t state = ~std::uint32_t{0};  // after the seed bytes

  explicit Function(std::uint64_t seed) noexcept {
    if (seed == 0) return;
    std::array<std::byte, 8> bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(seed >> (8 * i));
    state = extended(state, bytes.data(), bytes.size());
  }

  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {widened_32(~extended(state, bytes, length))};
  }
};

template struct HashBase<Crc32c, 1, 32>;

}  // namespace bloomlab
