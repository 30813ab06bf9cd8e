#include "core/filters/scalable_untightened.hpp"

#include "core/filters/fault.hpp"

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

ScalableUntightened::ScalableUntightened(const Parameters& p, const Probe& probe)
    : parameters_(detail::require(p, check(p, probe))),
      layers_(planner(p), probe, {}, std::string(name)) {}

}  // namespace bloomlab
