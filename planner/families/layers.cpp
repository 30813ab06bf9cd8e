// Filters that grow by layers. They are shown as started for a tenth of the keys: who knows n does
// not need them.

#include <algorithm>
#include <cmath>

#include "core/filters/dynamic.hpp"
#include "core/filters/scalable.hpp"
#include "core/filters/scalable_partitioned.hpp"
#include "core/filters/scalable_untightened.hpp"
#include "core/theory/scalable.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"

namespace bloomlab::planner {
namespace {

constexpr const char* started_small = "started for a tenth of the keys";
constexpr double tightening = 0.85;
constexpr std::uint64_t growth = 2;

/// For memory goals the target is 2^(-units/target_steps).
constexpr double target_steps = 64.0;
constexpr std::uint64_t most_target_units = 64 * 60;

std::uint64_t first_keys(std::uint64_t n) { return (n + 9) / 10; }

double target_of(std::uint64_t units) {
  return std::exp2(-static_cast<double>(units) / target_steps);
}

/// Every layer is asked by an absent key; a present one stops, on average, halfway.
LinesRead layered_lines(const std::vector<theory::Layer>& layers) {
  LinesRead sum;
  for (const theory::Layer& layer : layers) {
    const LinesRead one = probed_lines(layer.m, layer.n, layer.k);
    sum.absent += one.absent;
    sum.present += one.present;
  }
  const auto count = static_cast<double>(layers.size());
  sum.present = sum.present / count + sum.absent * (count - 1.0) / (2.0 * count);
  return sum;
}

template <class Filter>
Family tightened_family(const Goal& goal) {
  const auto make = [n = goal.n, rate = goal.rate](std::uint64_t units) {
    typename Filter::Parameters parameters;
    parameters.target = rate ? *rate : target_of(units);
    parameters.tightening = tightening;
    parameters.growth = growth;
    parameters.first_capacity = first_keys(n);
    return parameters;
  };
  const auto lines = [n = goal.n](const typename Filter::Parameters& p) {
    return layered_lines(
        theory::scalable_layers(p.target, p.tightening, p.growth, p.first_capacity, n));
  };
  Family family{
      .filter = std::string(Filter::name), .traits = {.grows = true}, .note = started_small};
  if (Filter::check(make(1))) family.unavailable = "no layer reaches this rate";
  const std::uint64_t most = goal.rate ? 1 : most_target_units;
  family.shapes = {shape_of<Filter>(goal.n, 1, most, make, lines)};
  return family;
}

}  // namespace

Family scalable_family(const Goal& goal) { return tightened_family<Scalable>(goal); }

Family scalable_partitioned_family(const Goal& goal) {
  return tightened_family<ScalablePartitioned>(goal);
}

Family scalable_untightened_family(const Goal& goal) {
  // Every layer is full at the rate fp; how many there are is settled by the first one's size.
  const auto make = [n = goal.n](std::uint64_t units) {
    const double fp = target_of(units);
    const auto probes = std::max(1.0, std::ceil(-std::log2(fp)));
    const double load = -std::log(-std::expm1(std::log(fp) / probes));
    const double bits = std::ceil(probes * static_cast<double>(first_keys(n)) / load);
    return ScalableUntightened::Parameters{
        .m = static_cast<std::uint64_t>(bits), .k = static_cast<std::uint64_t>(probes), .fp = fp};
  };
  const auto lines = [n = goal.n](const ScalableUntightened::Parameters& p) {
    return layered_lines(theory::untightened_layers(p.m, p.k, p.fp, n));
  };
  return {.filter = std::string(ScalableUntightened::name),
          .shapes = {shape_of<ScalableUntightened>(goal.n, 1, most_target_units, make, lines)},
          .note = "started for a tenth of the keys; beyond n its rate is not bounded"};
}

Family dynamic_family(const Goal& goal) {
  Family family{.filter = std::string(Dynamic::name),
                .note = "ten equal filters; beyond n its rate is not bounded"};
  const std::uint64_t n = goal.n;
  for (const std::uint64_t k : probe_counts(goal)) {
    const auto make = [k, n](std::uint64_t units) {
      return Dynamic::Parameters{.m = units, .k = k, .capacity = first_keys(n)};
    };
    const auto lines = [n](const Dynamic::Parameters& p) {
      const std::uint64_t filters = (n + p.capacity - 1) / p.capacity;
      return layered_lines(std::vector<theory::Layer>(filters, {p.m, p.k, p.capacity}));
    };
    family.shapes.push_back(shape_of<Dynamic>(n, 1, max_filter_bits, make, lines));
  }
  return family;
}

}  // namespace bloomlab::planner
