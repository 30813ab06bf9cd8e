// Filters of counters, which forget keys.

#include "core/filters/counting.hpp"
#include "core/filters/spectral.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"

namespace bloomlab::planner {
namespace {

constexpr const char* lost_by_deleting = "after deleting a key that was never inserted";

template <class Filter>
Family counters_family(const Goal& goal, std::uint64_t counter_bits) {
  Family family{.filter = std::string(Filter::name), .traits = {.deletes = true}};
  const auto [m, k] = standard_size(goal, counter_bits);
  if (m == 0) {
    family.unavailable = goal.rate ? "would pass 2^48 counters" : "does not fit into this memory";
    return family;
  }
  const auto make = [probes = k, counter_bits](std::uint64_t units) {
    typename Filter::Parameters parameters;
    parameters.m = units;
    parameters.k = probes;
    parameters.counter_bits = counter_bits;
    return parameters;
  };
  const auto lines = [n = goal.n, counter_bits](const typename Filter::Parameters& p) {
    return probed_lines(p.m, n, p.k, counter_bits);
  };
  family.shapes = {shape_of<Filter>(goal.n, goal.rate ? m : 1, m, make, lines)};
  family.false_negatives = lost_by_deleting;
  return family;
}

}  // namespace

Family counting_family(const Goal& goal) {
  constexpr std::uint64_t counter_bits = 4;
  return counters_family<Counting>(goal, counter_bits);
}

Family spectral_family(const Goal& goal) {
  constexpr std::uint64_t counter_bits = 16;
  Family family = counters_family<Spectral>(goal, counter_bits);
  family.note = "also estimates how often a key was inserted";
  return family;
}

}  // namespace bloomlab::planner
