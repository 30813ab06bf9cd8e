#include "core/filters/scalable_untightened.hpp"

#include <algorithm>
#include <cmath>

#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab {

LayerPlanner ScalableUntightenedRules::planner(const Parameters& p) {
  return [layers = UntightenedLayers(p.m, p.k, p.fp)](std::size_t index) {
    return layers.plan(index);
  };
}

std::vector<ScalableUntightenedRules::Parameters> ScalableUntightenedRules::examples() {
  return {{.m = 10000, .k = 5, .fp = 0.01},
          {.m = 4096, .k = 5, .fp = 0.001},
          {.m = 1, .k = 1, .fp = 0.5},
          {.m = 999, .k = 8, .fp = 0.1}};
}

theory::Query ScalableUntightenedRules::prediction(const Parameters& p, std::uint64_t n) {
  return {"scalable_untightened", {{"m", p.m}, {"k", p.k}, {"fp", p.fp}, {"n", n}}};
}

double ScalableUntightenedRules::rate(const Parameters& p, std::uint64_t n) {
  return theory::untightened_fpr(p.m, p.k, p.fp, n);
}

Sizing<ScalableUntightenedRules::Parameters> ScalableUntightenedRules::sizing(
    const SizingGoal& goal) {
  // Every layer is full at the rate fp; how many there are is settled by the first one's size.
  const auto make = [n = goal.n](std::uint64_t units) {
    const double fp = detail::target_of(units);
    const auto probes = std::max(1.0, std::ceil(-std::log2(fp)));
    const double load = -std::log(-std::expm1(std::log(fp) / probes));
    const double bits = std::ceil(probes * static_cast<double>(detail::first_keys(n)) / load);
    return Parameters{
        .m = static_cast<std::uint64_t>(bits), .k = static_cast<std::uint64_t>(probes), .fp = fp};
  };
  return {.shapes = {{1, detail::most_target_units, make}},
          .note = "started for a tenth of the keys; beyond n its rate is not bounded"};
}

LinesRead ScalableUntightenedRules::lines(const Parameters& p, std::uint64_t n) {
  return detail::layered_lines(theory::untightened_layers(p.m, p.k, p.fp, n));
}

}  // namespace bloomlab
