// A filter that grows without losing its rate: layers of standard filters, each larger and of a
// lower rate than the one before.
// Source: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101, which has
// partitioned filters as layers: scalable_partitioned.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/filters/scalable_over.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// What the scalable filter of standard filters says of itself.
struct ScalableDescription {
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

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static LayerPolicies policies(const Parameters& p) noexcept {
    return {.insert = p.insert_policy};
  }
  /// The closed form of the rate after n distinct keys: `scalable`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
};

extern template class ScalableOver<Standard, ScalableDescription>;

/// The scalable filter of standard filters; sizes of its layers: ScalableLayers.
using Scalable = ScalableOver<Standard, ScalableDescription>;

}  // namespace bloomlab
