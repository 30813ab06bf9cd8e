// Key source `uniform`: 64-bit keys from a keyed bijection of a counter, so that members and
// strangers never meet and nothing has to be stored.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace bloomlab::experiments {

struct Uniform {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view summary =
      "64-bit integers: a keyed bijection of a counter; members take 0 .. n-1, strangers the next "
      "q";
  static constexpr int integer_bytes = 8;  ///< width of an integer key [bytes]; 0 for texts

  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return true; }
  /// Distinct keys to be had, members and strangers together.
  static std::uint64_t supply(const Parameters& /*p*/) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  /// Memory that n members and q strangers need at once [bytes].
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t /*n*/,
                                    std::uint64_t /*q*/) {
    return 0;
  }
};

}  // namespace bloomlab::experiments
