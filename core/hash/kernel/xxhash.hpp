// XXH64 and XXH3 of one key, to be inlined where a key is asked for alone. Many keys, and XXH3 of
// keys of more than 240 bytes, go by the library xxHash: the digests are the same.
// Source: Collet 2012-2023, "xxHash fast digest algorithm" and "XXH3 algorithm overview" (the
// specification of xxHash), whose constants these are.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/hash/kernel/bytes.hpp"
#include "core/simd/multiply_mix.hpp"
#include "core/simd/xxh3_words.hpp"

namespace bloomlab::detail {

inline constexpr std::uint64_t xxh_prime_1 = 0x9e3779b185ebca87ULL;
inline constexpr std::uint64_t xxh_prime_2 = 0xc2b2ae3d27d4eb4fULL;
inline constexpr std::uint64_t xxh_prime_3 = 0x165667b19e3779f9ULL;
inline constexpr std::uint64_t xxh_prime_4 = 0x85ebca77c2b2ae63ULL;
inline constexpr std::uint64_t xxh_prime_5 = 0x27d4eb2f165667c5ULL;

/// The finish of XXH64.
[[gnu::always_inline]] inline std::uint64_t xxh64_finish(std::uint64_t hash) noexcept {
  hash = (hash ^ (hash >> 33)) * xxh_prime_2;
  hash = (hash ^ (hash >> 29)) * xxh_prime_3;
  return hash ^ (hash >> 32);
}

/// XXH64 under one seed.
struct Xxh64Kernel {
  std::uint64_t seed;
  [[gnu::always_inline]] explicit Xxh64Kernel(std::uint64_t value) noexcept : seed(value) {}

  [[gnu::always_inline]] static std::uint64_t round(std::uint64_t lane,
                                                    std::uint64_t word) noexcept {
    return std::rotl(lane + word * xxh_prime_2, 31) * xxh_prime_1;
  }
  [[gnu::always_inline]] static std::uint64_t absorb(std::uint64_t hash,
                                                     std::uint64_t word) noexcept {
    return std::rotl(hash ^ round(0, word), 27) * xxh_prime_1 + xxh_prime_4;
  }

  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    return {xxh64_finish(absorb(seed + xxh_prime_5 + 8, key))};
  }
  std::array<std::uint64_t, 1> operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    const std::byte* const end = bytes + length;
    std::uint64_t hash = seed + xxh_prime_5;
    if (length >= 32) {
      std::array<std::uint64_t, 4> lanes = {seed + xxh_prime_1 + xxh_prime_2, seed + xxh_prime_2,
                                            seed, seed - xxh_prime_1};
      for (; end - bytes >= 32; bytes += 32) {
        for (std::size_t i = 0; i < 4; ++i) {
          lanes[i] = round(lanes[i], load_little_endian(bytes + 8 * i));
        }
      }
      hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
             std::rotl(lanes[3], 18);
      for (const std::uint64_t lane : lanes) {
        hash = (hash ^ round(0, lane)) * xxh_prime_1 + xxh_prime_4;
      }
    }
    hash += length;
    for (; end - bytes >= 8; bytes += 8) hash = absorb(hash, load_little_endian(bytes));
    if (end - bytes >= 4) {
      hash ^= load_little_endian_32(bytes) * xxh_prime_1;
      hash = std::rotl(hash, 23) * xxh_prime_2 + xxh_prime_3;
      bytes += 4;
    }
    for (; bytes != end; ++bytes) {
      hash ^= std::to_integer<std::uint64_t>(*bytes) * xxh_prime_5;
      hash = std::rotl(hash, 11) * xxh_prime_1;
    }
    return {xxh64_finish(hash)};
  }
};

/// The part of the algorithm's default secret that keys of up to 240 bytes read.
alignas(8) inline constexpr unsigned char xxh3_secret[] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb};

/// XXH3 with 64 bits of up to 240 bytes, under one seed.
struct Xxh3Short {
  static constexpr std::size_t longest = 240;

  std::uint64_t seed;

  [[gnu::always_inline]] static std::uint64_t secret(std::size_t at) noexcept {
    std::uint64_t word;
    std::memcpy(&word, xxh3_secret + at, sizeof word);
    return little_endian(word);
  }
  [[gnu::always_inline]] static std::uint64_t finish(std::uint64_t hash) noexcept {
    hash = (hash ^ (hash >> 37)) * 0x165667919e3779f9ULL;
    return hash ^ (hash >> 32);
  }
  /// 16 bytes of a key with the 16 bytes of the secret at `at`.
  [[gnu::always_inline]] std::uint64_t mix(const std::byte* bytes, std::size_t at) const noexcept {
    return simd::fold_product(load_little_endian(bytes) ^ (secret(at) + seed),
                              load_little_endian(bytes + 8) ^ (secret(at + 8) - seed));
  }

  [[nodiscard]] std::uint64_t up_to_3(const std::byte* bytes, std::size_t length) const noexcept {
    if (length == 0) return xxh64_finish(seed ^ secret(56) ^ secret(64));
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(bytes[i]); };
    const std::uint64_t word =
        byte(0) << 16 | byte(length / 2) << 24 | byte(length - 1) | length << 8;
    const std::uint64_t flip = (secret(0) ^ secret(0) >> 32) & 0xffffffffU;
    return xxh64_finish(word ^ (flip + seed));
  }
  [[nodiscard]] std::uint64_t up_to_8(const std::byte* bytes, std::size_t length) const noexcept {
    const std::uint64_t low = load_little_endian_32(bytes);
    const std::uint64_t high = load_little_endian_32(bytes + length - 4);
    return simd::Xxh3Word(seed).of_length(high << 32 | low, length);
  }
  [[nodiscard]] std::uint64_t up_to_16(const std::byte* bytes, std::size_t length) const noexcept {
    const std::uint64_t low = load_little_endian(bytes) ^ ((secret(24) ^ secret(32)) + seed);
    const std::uint64_t high =
        load_little_endian(bytes + length - 8) ^ ((secret(40) ^ secret(48)) - seed);
    return finish(length + __builtin_bswap64(low) + high + simd::fold_product(low, high));
  }
  [[nodiscard]] std::uint64_t up_to_128(const std::byte* bytes, std::size_t length) const noexcept {
    const std::byte* const end = bytes + length;
    std::uint64_t sum = length * xxh_prime_1 + mix(bytes, 0) + mix(end - 16, 16);
    if (length > 32) sum += mix(bytes + 16, 32) + mix(end - 32, 48);
    if (length > 64) sum += mix(bytes + 32, 64) + mix(end - 48, 80);
    if (length > 96) sum += mix(bytes + 48, 96) + mix(end - 64, 112);
    return finish(sum);
  }
  [[nodiscard]] std::uint64_t up_to_240(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t sum = length * xxh_prime_1;
    for (std::size_t i = 0; i < 8; ++i) sum += mix(bytes + 16 * i, 16 * i);
    sum = finish(sum);
    for (std::size_t i = 8; i < length / 16; ++i) sum += mix(bytes + 16 * i, 16 * (i - 8) + 3);
    return finish(sum + mix(bytes + length - 16, 119));
  }

  /// Precondition: length <= longest.
  [[nodiscard]] std::uint64_t operator()(const std::byte* bytes,
                                         std::size_t length) const noexcept {
    if (length > 128) return up_to_240(bytes, length);
    if (length > 16) return up_to_128(bytes, length);
    if (length > 8) return up_to_16(bytes, length);
    if (length > 3) return up_to_8(bytes, length);
    return up_to_3(bytes, length);
  }
};

}  // namespace bloomlab::detail
