// In which way keys come to a filter that is timed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomlab::experiments {

/// Figures of two regimes never stand in one column. The words of regimes() in this order.
enum class Regime : std::uint32_t {
  batched,    ///< many keys at once: throughput
  dependent,  ///< one key at a time, found where the answer before says: latency
  cold        ///< one key at a time, each to another filter of many, so that no cache has it
};

/// "batched", "dependent", "cold".
[[nodiscard]] inline std::span<const std::string_view> regimes() {
  static constexpr std::array<std::string_view, 3> words = {"batched", "dependent", "cold"};
  return words;
}

}  // namespace bloomlab::experiments
