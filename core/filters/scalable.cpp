#include "core/filters/scalable.hpp"

#include "core/filters/detail/fault.hpp"

namespace bloomlab {
namespace {

LayerStack::Planner planner(const Scalable::Parameters& p) {
  return [layers = ScalableLayers(p.target, p.tightening, p.growth, p.first_capacity)](
             std::size_t index) { return layers.plan(index); };
}

}  // namespace

std::vector<Scalable::Parameters> Scalable::examples() {
  return {{.target = 0.01, .tightening = 0.5, .growth = 2, .first_capacity = 500},
          {.target = 0.05, .tightening = 0.85, .growth = 4, .first_capacity = 100},
          {.target = 0.1, .tightening = 0.9, .growth = 1, .first_capacity = 300},
          {.target = 0.2, .tightening = 0.5, .growth = 3, .first_capacity = 1},
          {.target = 0.01,
           .tightening = 0.5,
           .growth = 2,
           .first_capacity = 100,
           .insert_policy = InsertPolicy::skip_reported}};
}

std::optional<std::string> Scalable::check(const Parameters& p) {
  if (auto fault = detail::unit_interval_fault(name, "target", p.target)) return fault;
  if (auto fault = detail::unit_interval_fault(name, "tightening", p.tightening)) return fault;
  if (p.growth < 1 || p.growth > max_growth) {
    return detail::out_of_range(name, "growth", p.growth, max_growth);
  }
  if (p.first_capacity < 1 || p.first_capacity > max_filter_bits) {
    return detail::out_of_range(name, "first_capacity", p.first_capacity, max_filter_bits);
  }
  if (!planner(p)(0)) return detail::first_layer_fault(name);
  return std::nullopt;
}

std::optional<std::string> Scalable::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  return detail::any_shape_fault(name, probe);
}

int Scalable::probes(const Parameters& p, std::uint64_t n) noexcept {
  return static_cast<int>(layer_totals(planner(p), n).probes);
}

std::uint64_t Scalable::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  return layer_totals(planner(p), n).memory_bits;
}

theory::Query Scalable::prediction(const Parameters& p, std::uint64_t n) {
  return {
      "scalable",
      {{"P", p.target}, {"r", p.tightening}, {"s", p.growth}, {"n0", p.first_capacity}, {"n", n}}};
}

Scalable::Scalable(const Parameters& p, const Probe& probe)
    : parameters_(detail::require(p, check(p, probe))),
      layers_(planner(p), probe, p.insert_policy, std::string(name)) {}

}  // namespace bloomlab
