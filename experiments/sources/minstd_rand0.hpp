// Key source `minstd_rand0`: 32-bit keys as the lab report drew them, from std::minstd_rand0 into a
// std::unordered_set<int>, in that set's order. The order is libstdc++'s.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/parameters.hpp"

namespace bloomlab::experiments {

/// Length of the generator's cycle, 2^31 - 2: its distinct outputs.
inline constexpr std::uint64_t minstd_cycle = 2'147'483'646;

struct MinstdRand0 {
  static constexpr std::string_view name = "minstd_rand0";
  static constexpr std::string_view summary =
      "32-bit integers of std::minstd_rand0, in the order of a std::unordered_set<int> (libstdc++)";
  static constexpr int integer_bytes = 4;  ///< width of an integer key [bytes]; 0 for texts

  struct Parameters {
    std::optional<std::uint64_t> seed;  ///< of the generator in every trial; nothing: the trial's
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"seed", "", "seed of the generator; left out: every trial has its own", 1,
                       minstd_cycle},
          p.seed);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& p) { return !p.seed; }
  /// Distinct keys to be had, members and strangers together: less than the cycle.
  static std::uint64_t supply(const Parameters& /*p*/) { return minstd_cycle - 1; }
  /// Memory that n members and q strangers need at once [bytes]: a node, a bucket and a key each.
  static std::uint64_t memory_bytes(const Parameters& /*p*/, std::uint64_t n, std::uint64_t q) {
    return (n + q) * 48;
  }
};

}  // namespace bloomlab::experiments
