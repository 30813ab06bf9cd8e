// A filter that grows without losing its rate: layers of standard filters, each larger and of a
// lower rate than the one before.
// Source: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101, which has
// partitioned filters as layers: scalable_partitioned.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/fault.hpp"
#include "core/filters/layered.hpp"
#include "core/parameters.hpp"

namespace bloomlab {

/// Largest ratio of the capacities of two layers.
inline constexpr std::uint64_t max_layer_growth = 1024;

/// Describes the fields that the parameters of every scalable filter have.
template <class Visitor, class Parameters>
void describe_layer_sizes(Visitor& visit, Parameters& p) {
  visit(RealField{.name = "target",
                  .unit = "probability",
                  .meaning = "bound of the compound false-positive rate",
                  .min_excluded = true,
                  .max_excluded = true},
        p.target);
  visit(RealField{.name = "tightening",
                  .unit = "",
                  .meaning = "ratio of the rates of a layer and the one before",
                  .min_excluded = true,
                  .max_excluded = true},
        p.tightening);
  visit(IntegerField{"growth", "", "ratio of the capacities of a layer and the one before", 1,
                     max_layer_growth},
        p.growth);
  visit(
      IntegerField{"first_capacity", "keys", "keys that the first layer takes", 1, max_filter_bits},
      p.first_capacity);
}

/// Layers of ScalableLayers.
template <class Parameters>
[[nodiscard]] LayerPlanner scalable_planner(const Parameters& p) {
  return [layers = ScalableLayers(p.target, p.tightening, p.growth, p.first_capacity)](
             std::size_t index) { return layers.plan(index); };
}

/// The description of Scalable.
struct ScalableRules {
  static constexpr std::string_view name = "scalable";
  static constexpr std::string_view summary =
      "layers of standard filters, each larger and of a lower rate; compound rate below target";
  static constexpr std::string_view source =
      "Almeida, Baquero, Preguica, Hutchison 2007, Scalable Bloom filters";
  static constexpr std::array<std::string_view, 2> insert_policies = {"always", "skip_reported"};

  struct Parameters {
    double target = 0.0;               ///< P: bound of the compound rate, in (0, 1)
    double tightening = 0.0;           ///< r: ratio of the rates of two layers, in (0, 1)
    std::uint64_t growth = 0;          ///< s: ratio of the capacities of two layers, >= 1
    std::uint64_t first_capacity = 0;  ///< n0: keys that layer 0 takes, >= 1
    InsertPolicy insert_policy = InsertPolicy::always;
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    describe_layer_sizes(visit, p);
    visit(ChoiceField{"insert_policy", "what becomes of a key that is already reported",
                      insert_policies, 0},
          p.insert_policy);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static LayerPlanner planner(const Parameters& p) { return scalable_planner(p); }
  [[nodiscard]] static std::optional<std::string> probe_fault(const Parameters& /*p*/,
                                                              const Probe& probe) {
    return detail::any_shape_fault(name, probe);
  }
  [[nodiscard]] static LayerPolicies policies(const Parameters& p) noexcept {
    return {.insert = p.insert_policy};
  }
  /// The closed form of the rate after n distinct keys: `scalable`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
};

/// The scalable filter of standard filters; sizes of its layers: ScalableLayers.
using Scalable = Layered<Standard, ScalableRules>;

}  // namespace bloomlab
