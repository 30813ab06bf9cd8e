// Keys for timed loops: fresh ones of a chosen length, made before the clock runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/keys/key_batch.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {

/// Lengths of keys; the words of key_lengths() in this order.
enum class KeyLength : std::uint32_t {
  bytes_8,   ///< integers, hashed as 8 bytes
  bytes_16,  ///< 16 hexadecimal digits
  bytes_53,  ///< an address of the web: a fixed part, and 16 digits
  mixed      ///< 16 to 79 bytes, as many keys of each length
};

/// "8", "16", "53", "mixed".
[[nodiscard]] std::span<const std::string_view> key_lengths();

/// Numbers that loops draw by: SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom
/// number generators"). Equal seeds give equal numbers everywhere.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) noexcept : state_(seed) {}
  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31);
  }
  /// Uniform in [0, bound) up to a bias of bound / 2^64.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    return multiply_high(next(), bound);
  }

 private:
  std::uint64_t state_;
};

/// Storage of some keys. Key number c under a permutation is its image of c: other numbers are
/// other keys, in every length.
class TimedKeys {
 public:
  explicit TimedKeys(KeyLength length) : length_(length) {}

  /// Keys `first` .. `first + count - 1`.
  void take_range(const KeyedPermutation& keys, std::uint64_t first, std::size_t count);
  /// The keys with these numbers, in this order: the i-th number under the permutation i modulo
  /// their number. Precondition: at least one permutation.
  void take(std::span<const KeyedPermutation> keys, std::span<const std::uint64_t> numbers);

  /// The keys i << 32 | i for i = first .. first + count - 1, in every length: under no
  /// permutation, so that only the filter's hash tells them apart. Precondition: first + count <=
  /// 2^32.
  void take_structured(std::uint64_t first, std::size_t count);

  /// What was taken last; valid until the next taking.
  [[nodiscard]] KeyBatch batch() const& noexcept;
  void batch() const&& = delete;
  /// Their bytes, all together.
  [[nodiscard]] std::uint64_t total_bytes() const noexcept;

 private:
  void write_texts();

  KeyLength length_;
  std::vector<std::uint64_t> values_;
  std::vector<char> characters_;
  std::vector<std::string_view> texts_;
};

}  // namespace bloomlab::experiments
