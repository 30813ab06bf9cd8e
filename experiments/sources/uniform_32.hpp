// Key source `uniform_32`: 32-bit keys from a keyed bijection of a counter (KeyedPermutation32).
// Inserted keys take the counters 0 .. n-1 and absent keys n .. n+q-1; the universe has 2^32 keys,
// few enough to ask all of them (kind `census`).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/keys/key_batch.hpp"
#include "core/keys/keyed_permutation_32.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

struct Uniform32 {
  static constexpr std::string_view name = "uniform_32";
  static constexpr std::string_view summary =
      "32-bit integers: a keyed bijection of a counter; inserted keys take 0 .. n-1, absent keys "
      "the next "
      "q, at most 2^32 in all";
  static constexpr int integer_bytes = 4;       ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = true;  ///< false: all keys of a trial are stored

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return true; }
  /// Distinct keys to be had, inserted keys and absent keys together.
  static std::uint64_t supply(const Parameters& /*p*/) { return std::uint64_t{1} << 32; }
  /// Memory that n inserted keys and q absent keys need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t /*n*/,
                                    std::uint64_t /*q*/) {
    return 0;
  }

  /// The keys of one trial. Safe to read from several threads, each with its own buffer.
  class Keys {
   public:
    Keys(const Parameters& /*p*/, std::uint64_t seed, std::uint64_t n, std::uint64_t /*q*/)
        : permutation_(seed), n_(n) {}

    /// Inserted keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& buffer) const {
      buffer.values.resize(count);
      permutation_.apply_range(static_cast<std::uint32_t>(first), buffer.values);
      return KeyBatch::integers(buffer.values, integer_bytes);
    }
    /// Absent keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
      return inserted_keys(n_ + first, count, buffer);
    }

   private:
    KeyedPermutation32 permutation_;
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
