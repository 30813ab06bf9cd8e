#include "core/filters/dynamic.hpp"

#include <algorithm>
#include <vector>

#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/theory/dynamic.hpp"

namespace bloomlab {

LayerPlanner DynamicRules::planner(const Parameters& p) {
  return [p](std::size_t index) -> std::optional<LayerPlan> {
    // All filters together have fewer than 2^63 bits.
    if (index >= max_layers || index >= (std::uint64_t{1} << 63) / p.m - 1) return std::nullopt;
    return LayerPlan{.bits = p.m, .probes = p.k, .capacity = p.capacity};
  };
}

std::vector<DynamicRules::Parameters> DynamicRules::examples() {
  return {{.m = 10000, .k = 5, .capacity = 1000},
          {.m = 4096, .k = 5, .capacity = 400},
          {.m = 1, .k = 1, .capacity = 2000},
          {.m = 32768, .k = 5, .capacity = 3000}};
}

theory::Query DynamicRules::prediction(const Parameters& p, std::uint64_t n) {
  return {"dynamic", {{"m", p.m}, {"k", p.k}, {"c", p.capacity}, {"n", n}}};
}

double DynamicRules::rate(const Parameters& p, std::uint64_t n) {
  return theory::dynamic_fpr(p.m, p.k, p.capacity, n);
}

Sizing<DynamicRules::Parameters> DynamicRules::sizing(const SizingGoal& goal) {
  Sizing<Parameters> sizing{.note = "ten equal filters; beyond n its rate is not bounded"};
  for (const std::uint64_t k : detail::probe_counts(goal)) {
    const auto make = [k, capacity = detail::first_keys(goal.n)](std::uint64_t m) {
      return Parameters{.m = m, .k = k, .capacity = capacity};
    };
    sizing.shapes.push_back({1, max_filter_bits, make});
  }
  return sizing;
}

LinesRead DynamicRules::lines(const Parameters& p, std::uint64_t n) {
  std::vector<theory::Layer> layers;
  for (std::uint64_t left = n; layers.empty() || (left > 0 && layers.size() < max_layers);) {
    const std::uint64_t keys = std::min(left, p.capacity);
    layers.push_back({p.m, p.k, keys});
    left -= keys;
  }
  return detail::layered_lines(layers);
}

}  // namespace bloomlab
