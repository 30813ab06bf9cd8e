#include "core/filters/scalable_untightened.hpp"

#include <algorithm>
#include <cmath>

#include "core/filters/detail/layer_sizing.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab {
namespace {

LayerPlanner planner(const ScalableUntightened::Parameters& p) {
  return [layers = UntightenedLayers(p.m, p.k, p.fp)](std::size_t index) {
    return layers.plan(index);
  };
}

}  // namespace

std::vector<ScalableUntightened::Parameters> ScalableUntightened::examples() {
  return {{.m = 10000, .k = 5, .fp = 0.01},
          {.m = 4096, .k = 5, .fp = 0.001},
          {.m = 1, .k = 1, .fp = 0.5},
          {.m = 999, .k = 8, .fp = 0.1}};
}

std::optional<std::string> ScalableUntightened::check(const Parameters& p) {
  if (p.m < 1 || p.m > max_filter_bits)
    return detail::out_of_range(name, "m", p.m, max_filter_bits);
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  if (auto fault = detail::unit_interval_fault(name, "fp", p.fp)) return fault;
  if (!planner(p)(0)) return detail::first_layer_fault(name);
  return std::nullopt;
}

std::optional<std::string> ScalableUntightened::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  if (auto fault = detail::probe_fault(name, probe, p.m, p.k)) return fault;
  return detail::probe_fault(name, probe, 2 * p.m, p.k);  // layers double: even sizes follow
}

int ScalableUntightened::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

std::uint64_t ScalableUntightened::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  return layer_totals(planner(p), n).memory_bits;
}

theory::Query ScalableUntightened::prediction(const Parameters& p, std::uint64_t n) {
  return {"scalable_untightened", {{"m", p.m}, {"k", p.k}, {"fp", p.fp}, {"n", n}}};
}

Sizing<ScalableUntightened::Parameters> ScalableUntightened::sizing(const SizingGoal& goal) {
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

LinesRead ScalableUntightened::lines(const Parameters& p, std::uint64_t n) {
  return detail::layered_lines(theory::untightened_layers(p.m, p.k, p.fp, n));
}

ScalableUntightened::ScalableUntightened(const Parameters& p, const Probe& probe)
    : parameters_(detail::require(p, check(p, probe))),
      layers_(planner(p), probe, {}, std::string(name)) {}

}  // namespace bloomlab
