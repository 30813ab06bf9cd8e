// What the hashing schemes share: what most say of themselves, and addition modulo m.
#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/query.hpp"

namespace bloomlab {

/// What most hashing schemes say of themselves; see Probe for what it means.
struct SchemeBase {
  static constexpr bool prefix_stable = true;
  static constexpr bool needs_identity = false;
  static constexpr int only_k = 0;
  [[nodiscard]] static std::optional<theory::Query> prediction(std::uint64_t /*m*/,
                                                               std::uint64_t /*n*/,
                                                               std::uint64_t /*k*/) {
    return std::nullopt;
  }
};

/// What the walks (core/probe/walk.hpp) have whose state holds the position.
struct HeldPosition {
  template <class State>
  [[nodiscard]] static std::uint64_t position(const State& state, int /*i*/) noexcept {
    return state.position;
  }
};

/// (a + b) mod m without a division. Precondition: a < m, b < m, m <= 2^62.
/// Written without a comparison, which SSE2 lacks for 64 bits: loops over it become vectors.
[[nodiscard]] inline std::uint64_t modular_sum(std::uint64_t a, std::uint64_t b,
                                               std::uint64_t m) noexcept {
  const std::uint64_t rest = a + b - m;
  const auto negative = static_cast<std::uint64_t>(static_cast<std::int64_t>(rest) >> 63);
  return rest + (m & negative);
}

}  // namespace bloomlab
