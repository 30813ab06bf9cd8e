// Key source `sequential`: the integers 0, 1, 2, ... : members first, strangers after them.
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
      "64-bit integers in order; members are 0 .. n-1, strangers n .. n+q-1, in every trial";
  static constexpr int integer_bytes = 8;       ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = true;  ///< false: all keys of a trial are stored

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return false; }
  /// Distinct keys to be had, members and strangers together.
  static std::uint64_t supply(const Parameters& /*p*/) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  /// Memory that n members and q strangers need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t /*n*/,
                                    std::uint64_t /*q*/) {
    return 0;
  }

  /// The keys of one trial. Safe to read from several threads, each with its own buffer.
  class Keys {
   public:
    Keys(const Parameters& /*p*/, std::uint64_t /*seed*/, std::uint64_t n, std::uint64_t /*q*/)
        : n_(n) {}

    /// Members `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch members(std::uint64_t first, std::size_t count,
                                   KeyBuffer& buffer) const {
      buffer.values.resize(count);
      std::iota(buffer.values.begin(), buffer.values.end(), first);
      return KeyBatch::integers(buffer.values, integer_bytes);
    }
    /// Strangers `first` .. `first + count - 1`; valid until the buffer is used again.
    [[nodiscard]] KeyBatch strangers(std::uint64_t first, std::size_t count,
                                     KeyBuffer& buffer) const {
      return members(n_ + first, count, buffer);
    }

   private:
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
