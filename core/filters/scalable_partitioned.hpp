// The scalable filter as its authors built it: layers of partitioned filters, each larger and of a
// lower rate than the one before.
// Source: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/filters/scalable.hpp"
#include "core/parameters.hpp"

namespace bloomlab {

/// The description of ScalablePartitioned.
struct ScalablePartitionedRules {
  static constexpr std::string_view name = "scalable_partitioned";
  static constexpr std::string_view summary =
      "layers of partitioned filters, each larger and of a lower rate; compound rate below target";
  static constexpr std::string_view source = ScalableRules::source;
  static constexpr bool can_refuse = true;  // under the policy `reject`
  static constexpr std::array<std::string_view, 3> capacity_policies = {"grow", "reject",
                                                                        "overfill"};

  struct Parameters {
    double target = 0.0;               ///< P: bound of the compound rate, in (0, 1)
    double tightening = 0.0;           ///< r: ratio of the rates of two layers, in (0, 1)
    std::uint64_t growth = 0;          ///< s: ratio of the capacities of two layers, >= 1
    std::uint64_t first_capacity = 0;  ///< n0: keys that layer 0 takes, >= 1
    InsertPolicy insert_policy = InsertPolicy::always;
    CapacityPolicy capacity_policy = CapacityPolicy::grow;
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    describe_layer_sizes(visit, p);
    visit(ChoiceField{"insert_policy", "what becomes of a key that is already reported",
                      ScalableRules::insert_policies, 0},
          p.insert_policy);
    visit(ChoiceField{"capacity_policy", "what becomes of a key when the last layer is full",
                      capacity_policies, 0},
          p.capacity_policy);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static LayerPlanner planner(const Parameters& p) { return scalable_planner(p); }
  [[nodiscard]] static std::optional<std::string> probe_fault(const Parameters& /*p*/,
                                                              const Probe& probe) {
    return detail::any_shape_fault(name, probe);
  }
  [[nodiscard]] static LayerPolicies policies(const Parameters& p) noexcept {
    return {.insert = p.insert_policy, .capacity = p.capacity_policy};
  }
  /// The closed form of the rate after n distinct keys: `scalable_partitioned`; `partitioned`, of
  /// the first layer and the keys that it takes, where the filter does not grow.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
};

/// The scalable filter of partitioned filters; sizes of its layers: ScalableLayers. Each layer has
/// as many bits as in Scalable: only where a key's positions lie differs.
///
/// Layers share the digests of a key, and the i-th word always chooses within the i-th slice: where
/// slices have only a few bits, what two layers say of an absent key is not independent, and the
/// rate of one filter may lie off its compound, either way. The mean over filters is not moved.
using ScalablePartitioned = Layered<Partitioned, ScalablePartitionedRules>;

}  // namespace bloomlab
