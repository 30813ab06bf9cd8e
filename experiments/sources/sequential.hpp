// Key source `sequential`: the integers 0, 1, 2, ... : inserted keys first, absent keys after them.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/keys/key_batch.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

struct Sequential {
  static constexpr std::string_view name = "sequential";
  static constexpr std::string_view summary =
      "64-bit integers in order; inserted keys are 0 .. n-1, absent keys n .. n+q-1, in every "
      "trial";
  static constexpr int integer_bytes = 8;       ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = true;  ///< false: all keys of a trial are stored

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return false; }
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
    Keys(const Parameters& /*p*/, std::uint64_t /*seed*/, std::uint64_t n, std::uint64_t /*q*/)
        : n_(n) {}

    /// Inserted keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& buffer) const {
      buffer.values.resize(count);
      std::iota(buffer.values.begin(), buffer.values.end(), first);
      return KeyBatch::integers(buffer.values, integer_bytes);
    }
    /// Absent keys `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
      return inserted_keys(n_ + first, count, buffer);
    }

   private:
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
