#include "core/keys/keyed_permutation_32.hpp"

#include <bit>
#include <cstddef>

namespace bloomlab {
namespace {

constexpr int right_turn_32 = 7;
constexpr int left_turn_32 = 2;

constexpr std::uint16_t sum(std::uint16_t a, std::uint16_t b) noexcept {
  return static_cast<std::uint16_t>(a + b);
}

}  // namespace

KeyedPermutation32::KeyedPermutation32(std::uint64_t seed) {
  std::array<std::uint16_t, 3> schedule = {static_cast<std::uint16_t>(seed >> 16),
                                           static_cast<std::uint16_t>(seed >> 32),
                                           static_cast<std::uint16_t>(seed >> 48)};
  auto round_key = static_cast<std::uint16_t>(seed);
  for (std::uint16_t i = 0; i < rounds; ++i) {
    round_keys_[i] = round_key;
    std::uint16_t& word = schedule[i % 3];
    word = static_cast<std::uint16_t>(sum(round_key, std::rotr(word, right_turn_32)) ^ i);
    round_key = static_cast<std::uint16_t>(std::rotl(round_key, left_turn_32) ^ word);
  }
}

std::uint32_t KeyedPermutation32::operator()(std::uint32_t number) const noexcept {
  auto x = static_cast<std::uint16_t>(number >> 16);
  auto y = static_cast<std::uint16_t>(number);
  for (const std::uint16_t round_key : round_keys_) {
    x = static_cast<std::uint16_t>(sum(std::rotr(x, right_turn_32), y) ^ round_key);
    y = static_cast<std::uint16_t>(std::rotl(y, left_turn_32) ^ x);
  }
  return (std::uint32_t{x} << 16) | y;
}

void KeyedPermutation32::apply_range(std::uint32_t first,
                                     std::span<std::uint64_t> out) const noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (*this)(static_cast<std::uint32_t>(first + i));
  }
}

}  // namespace bloomlab
