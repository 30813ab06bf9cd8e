#include "core/keys/keyed_permutation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "core/simd/speck_blocks.hpp"

namespace bloomlab {
namespace {

constexpr int right_turn = 8;
constexpr int left_turn = 3;

// Numbers that are made and replaced while they are in the nearest cache.
constexpr std::size_t range_part = 1024;

}  // namespace

KeyedPermutation::KeyedPermutation(std::uint64_t seed)
    : KeyedPermutation(std::array<std::uint32_t, 4>{0, 0, static_cast<std::uint32_t>(seed >> 32),
                                                    static_cast<std::uint32_t>(seed)}) {}

KeyedPermutation::KeyedPermutation(const std::array<std::uint32_t, 4>& key) {
  std::array<std::uint32_t, 3> schedule = {key[2], key[1], key[0]};
  std::uint32_t round_key = key[3];
  for (std::uint32_t i = 0; i < rounds; ++i) {
    round_keys_[i] = round_key;
    std::uint32_t& word = schedule[i % 3];
    word = (round_key + std::rotr(word, right_turn)) ^ i;
    round_key = std::rotl(round_key, left_turn) ^ word;
  }
}

std::uint64_t KeyedPermutation::operator()(std::uint64_t number) const noexcept {
  auto x = static_cast<std::uint32_t>(number >> 32);
  auto y = static_cast<std::uint32_t>(number);
  for (const std::uint32_t round_key : round_keys_) {
    x = (std::rotr(x, right_turn) + y) ^ round_key;
    y = std::rotl(y, left_turn) ^ x;
  }
  return (std::uint64_t{x} << 32) | y;
}

void KeyedPermutation::apply(std::span<std::uint64_t> numbers) const noexcept {
  const std::size_t done = simd::encrypt_groups(round_keys_, numbers);
  for (std::uint64_t& number : numbers.subspan(done)) number = (*this)(number);
}

void KeyedPermutation::apply_range(std::uint64_t first,
                                   std::span<std::uint64_t> out) const noexcept {
  while (!out.empty()) {
    const std::span<std::uint64_t> part = out.first(std::min(range_part, out.size()));
    std::iota(part.begin(), part.end(), first);
    apply(part);
    first += part.size();
    out = out.subspan(part.size());
  }
}

}  // namespace bloomlab
