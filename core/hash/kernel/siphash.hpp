// SipHash of one key, with its numbers of rounds as parameters.
// Source: Aumasson, Bernstein 2012, "SipHash: a fast short-input PRF", INDOCRYPT.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/hash/kernel/bytes.hpp"

namespace bloomlab::detail {

/// SipHash with `Compression` rounds for each word of the key and `Finalization` rounds at the end.
/// The four words of state, after the secret of 128 bits is in them, are kept.
template <int Compression, int Finalization>
class SipHashKernel {
 public:
  /// The secret is `low`, its first 8 bytes read as little-endian, and `high`, its last.
  constexpr SipHashKernel(std::uint64_t low, std::uint64_t high) noexcept
      : start_{low ^ 0x736f6d6570736575ULL, high ^ 0x646f72616e646f6dULL,
               low ^ 0x6c7967656e657261ULL, high ^ 0x7465646279746573ULL} {}
  /// The secret is the seed, then 8 bytes of 0.
  explicit constexpr SipHashKernel(std::uint64_t seed) noexcept : SipHashKernel(seed, 0) {}

  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    const KeyBytes key_bytes(key);
    return (*this)(key_bytes.bytes, sizeof key_bytes.bytes);
  }
  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(
      const std::byte* bytes, std::size_t length) const noexcept {
    State state = start_;
    const std::byte* const tail = bytes + length / 8 * 8;
    for (; bytes != tail; bytes += 8) compress(state, load_little_endian(bytes));
    const std::uint64_t rest = load_rest<std::uint64_t>(tail, length % 8);
    compress(state, static_cast<std::uint64_t>(length) << 56 | rest);
    state[2] ^= 0xff;
    for (int i = 0; i < Finalization; ++i) round(state);
    return {state[0] ^ state[1] ^ state[2] ^ state[3]};
  }

 private:
  using State = std::array<std::uint64_t, 4>;

  [[gnu::always_inline]] static void round(State& v) noexcept {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] = std::rotl(v[2], 32);
  }
  [[gnu::always_inline]] static void compress(State& state, std::uint64_t word) noexcept {
    state[3] ^= word;
    for (int i = 0; i < Compression; ++i) round(state);
    state[0] ^= word;
  }

  State start_;
};

}  // namespace bloomlab::detail
