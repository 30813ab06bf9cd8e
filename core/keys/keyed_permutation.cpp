#include "core/keys/keyed_permutation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace bloomlab {
namespace {

constexpr int right_turn = 8;
constexpr int left_turn = 3;

// Blocks that go through the cipher side by side; measured best with g++ 12 and clang 14.
constexpr std::size_t lanes = 32;

// One binary, best of SSE2 and AVX2: 6.4 and 3.4 ns a number, 25 ns one by one.
#if defined(__x86_64__) && defined(__GLIBC__)
#define BLOOMLAB_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define BLOOMLAB_VECTOR_CLONES
#endif

/// Replaces numbers by their images, in whole groups of lanes; how many numbers that were.
BLOOMLAB_VECTOR_CLONES
std::size_t apply_groups(const std::array<std::uint32_t, KeyedPermutation::rounds>& round_keys,
                         std::uint64_t* numbers, std::size_t size) noexcept {
  // A copy, halves in planes of their own, plain shifts, loops of constant length: the shape of
  // which both compilers make vectors.
  std::uint32_t keys[KeyedPermutation::rounds];
  for (std::size_t i = 0; i < round_keys.size(); ++i) keys[i] = round_keys[i];
  std::size_t done = 0;
  for (; done + lanes <= size; done += lanes) {
    std::uint32_t x[lanes];
    std::uint32_t y[lanes];
    for (std::size_t j = 0; j < lanes; ++j) {
      const std::uint64_t number = numbers[done + j];
      x[j] = static_cast<std::uint32_t>(number >> 32);
      y[j] = static_cast<std::uint32_t>(number);
    }
    for (int i = 0; i < KeyedPermutation::rounds; ++i) {
      const std::uint32_t key = keys[i];
      for (std::size_t j = 0; j < lanes; ++j) {
        x[j] = (((x[j] >> right_turn) | (x[j] << (32 - right_turn))) + y[j]) ^ key;
        y[j] = ((y[j] << left_turn) | (y[j] >> (32 - left_turn))) ^ x[j];
      }
    }
    for (std::size_t j = 0; j < lanes; ++j) {
      numbers[done + j] = (static_cast<std::uint64_t>(x[j]) << 32) | y[j];
    }
  }
  return done;
}

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
  const std::size_t done = apply_groups(round_keys_, numbers.data(), numbers.size());
  for (std::uint64_t& number : numbers.subspan(done)) number = (*this)(number);
}

void KeyedPermutation::apply_range(std::uint64_t first,
                                   std::span<std::uint64_t> out) const noexcept {
  std::iota(out.begin(), out.end(), first);
  apply(out);
}

}  // namespace bloomlab
