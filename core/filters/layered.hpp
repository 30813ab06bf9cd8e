// A filter that grows by layers is this class with rules: sizes and policies of the layers
// (core/filters/dynamic.hpp and its neighbours).
//
// Rules are a type with the static members of a filter's description (core/filters/concepts.hpp),
// with planner(p), probe_fault(p, probe) and, where keys are not just stored, policies(p).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "core/filters/fault.hpp"
#include "core/filters/layer_stack.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// A stack of layers, each an `Inner`, sized by the rules.
/// @tparam Inner Standard or Partitioned
template <class Inner, class Rules>
class Layered : public Rules, public LayerStackOf<Inner> {
 public:
  using typename Rules::Parameters;
  static constexpr bool chooses_positions = false;

  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault = detail::range_fault<Rules>(p)) return fault;
    if (!Rules::planner(p)(0)) return detail::first_layer_fault(Rules::name);
    return std::nullopt;
  }
  /// The same, with this probe: its reduction must take every layer's m and its family every k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe) {
    if (auto fault = check(p)) return fault;
    return Rules::probe_fault(p, probe);
  }
  /// Largest k of the layers that n stored keys need.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept {
    return static_cast<int>(totals(p, n).probes);
  }
  /// Bits allocated for n stored keys; 2^64 - 1 where the filter cannot grow that far.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    return totals(p, n).memory_bits;
  }

  /// A filter with its first layer. Throws std::invalid_argument with the text of check(), and
  /// AllocationError.
  Layered(const Parameters& p, const Probe& probe)
      : LayerStackOf<Inner>(Rules::planner(detail::require(p, check(p, probe))), probe, policies(p),
                            std::string(Rules::name)),
        parameters_(p) {}

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  /// Keys turned away since the filter was empty, under the policy `reject`.
  [[nodiscard]] std::uint64_t refused() const noexcept requires requires(const Parameters& p) {
    Rules::policies(p);
  }
  { return this->turned_away(); }

 private:
  static LayerPolicies policies(const Parameters& p) noexcept {
    if constexpr (requires { Rules::policies(p); }) return Rules::policies(p);
    return {};
  }
  // Of n keys as many as make layers open: none beyond the first where the filter does not grow.
  static LayerTotals totals(const Parameters& p, std::uint64_t n) {
    const LayerPlanner planner = Rules::planner(p);
    if (policies(p).capacity != CapacityPolicy::grow) n = std::min(n, planner(0)->capacity);
    return layer_totals(planner, n);
  }

  Parameters parameters_;
};

}  // namespace bloomlab
