// What key sources that number their keys have in common: inserted keys take the counters 0 .. n-1
// and absent keys n .. n+q-1, so nothing has to be stored, and no key comes twice at any n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/keys/key_batch.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

/// Integer keys of the width of `Integer`. `Numbering(seed)` has apply_range(first, values), which
/// writes the keys of the counters from `first` on. To be hidden where a source differs: every
/// number of 64 bits is a key, and another seed gives other keys.
template <class Integer, class Numbering>
struct CountedKeys {
  static constexpr int integer_bytes = sizeof(Integer);  ///< width of an integer key [bytes]
  static constexpr bool made_on_demand = true;           ///< false: all keys of a trial are stored

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return true; }
  /// Distinct keys to be had, inserted keys and absent keys together.
  static std::uint64_t supply(const Parameters& /*p*/) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  /// Memory that n inserted keys and q absent keys need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t /*n*/,
                                    std::uint64_t /*q*/) {
    return 0;
  }

  /// The keys of one trial. Safe to read from several threads, each with its own buffer.
  class Keys {
   public:
    Keys(const Parameters& /*p*/, std::uint64_t seed, std::uint64_t n, std::uint64_t /*q*/)
        : numbering_(seed), n_(n) {}

    /// Inserted keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& buffer) const {
      buffer.values.resize(count);
      numbering_.apply_range(static_cast<Integer>(first), buffer.values);
      return KeyBatch::integers(buffer.values, integer_bytes);
    }
    /// Absent keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
      return inserted_keys(n_ + first, count, buffer);
    }

   private:
    Numbering numbering_;
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
