#include "core/keys/keyed_permutation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace bloomlab {
namespace {

constexpr int right_turn = 8;
constexpr int left_turn = 3;

// Blocks of one loop of apply_range: two vectors of four halves fit the registers of any x86-64.
constexpr std::size_t lanes = 16;

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

void KeyedPermutation::apply_range(std::uint64_t first,
                                   std::span<std::uint64_t> out) const noexcept {
  std::size_t done = 0;
  for (; done + lanes <= out.size(); done += lanes) {
    // Halves in planes of their own, and loops of constant length: compilers make vectors of them.
    std::uint32_t x[lanes];
    std::uint32_t y[lanes];
    for (std::size_t j = 0; j < lanes; ++j) {
      const std::uint64_t number = first + done + j;
      x[j] = static_cast<std::uint32_t>(number >> 32);
      y[j] = static_cast<std::uint32_t>(number);
    }
    for (const std::uint32_t round_key : round_keys_) {
      for (std::size_t j = 0; j < lanes; ++j) {
        x[j] = (((x[j] >> right_turn) | (x[j] << (32 - right_turn))) + y[j]) ^ round_key;
        y[j] = ((y[j] << left_turn) | (y[j] >> (32 - left_turn))) ^ x[j];
      }
    }
    for (std::size_t j = 0; j < lanes; ++j) {
      out[done + j] = (std::uint64_t{x[j]} << 32) | y[j];
    }
  }
  for (; done < out.size(); ++done) out[done] = (*this)(first + done);
}

}  // namespace bloomlab
