#include "core/filters/scalable_partitioned.hpp"

#include <algorithm>

#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/theory/partitioned.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab {

std::vector<ScalablePartitionedRules::Parameters> ScalablePartitionedRules::examples() {
  return {{.target = 0.01, .tightening = 0.5, .growth = 2, .first_capacity = 500},
          {.target = 0.05, .tightening = 0.85, .growth = 4, .first_capacity = 100},
          {.target = 0.1, .tightening = 0.9, .growth = 1, .first_capacity = 300},
          {.target = 0.05, .tightening = 0.5, .growth = 3, .first_capacity = 50},
          {.target = 0.01,
           .tightening = 0.5,
           .growth = 2,
           .first_capacity = 100,
           .insert_policy = InsertPolicy::skip_reported},
          {.target = 0.02,
           .tightening = 0.5,
           .growth = 2,
           .first_capacity = 4000,
           .capacity_policy = CapacityPolicy::reject},
          {.target = 0.02,
           .tightening = 0.5,
           .growth = 2,
           .first_capacity = 800,
           .capacity_policy = CapacityPolicy::overfill}};
}

namespace {

/// The first layer with the keys that it takes where the filter does not grow.
theory::Layer only_layer(const ScalablePartitionedRules::Parameters& p, std::uint64_t n) {
  const LayerPlan first =
      ScalableLayers(p.target, p.tightening, p.growth, p.first_capacity).plan(0).value();
  const bool rejects = p.capacity_policy == CapacityPolicy::reject;
  return {first.bits, first.probes, rejects ? std::min(n, p.first_capacity) : n};
}

}  // namespace

theory::Query ScalablePartitionedRules::prediction(const Parameters& p, std::uint64_t n) {
  if (p.capacity_policy == CapacityPolicy::grow) {
    return {"scalable_partitioned",
            {{"P", p.target},
             {"r", p.tightening},
             {"s", p.growth},
             {"n0", p.first_capacity},
             {"n", n}}};
  }
  const theory::Layer only = only_layer(p, n);
  return {"partitioned", {{"m", only.m}, {"n", only.n}, {"k", only.k}}};
}

double ScalablePartitionedRules::rate(const Parameters& p, std::uint64_t n) {
  if (p.capacity_policy == CapacityPolicy::grow) {
    return theory::scalable_partitioned_fpr(p.target, p.tightening, p.growth, p.first_capacity, n);
  }
  const theory::Layer only = only_layer(p, n);
  return theory::partitioned_fpr(only.m, only.n, only.k);
}

Sizing<ScalablePartitionedRules::Parameters> ScalablePartitionedRules::sizing(
    const SizingGoal& goal) {
  return detail::tightened_sizing<ScalablePartitioned>(goal);
}

LinesRead ScalablePartitionedRules::lines(const Parameters& p, std::uint64_t n) {
  return detail::layered_lines(
      theory::scalable_layers(p.target, p.tightening, p.growth, p.first_capacity, n));
}

}  // namespace bloomlab
