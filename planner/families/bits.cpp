// Filters of single bits that any probe addresses.

#include <algorithm>

#include "core/filters/compressed.hpp"
#include "core/filters/folded.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/standard.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

Family without_size(std::string filter) {
  Family family;
  family.filter = std::move(filter);
  family.unavailable = "would pass 2^48 bits";
  return family;
}

/// With from `least` to `most` bits.
Family standard_family(std::uint64_t n, std::uint64_t least, std::uint64_t most, std::uint64_t k) {
  const auto make = [k](std::uint64_t units) { return Standard::Parameters{.m = units, .k = k}; };
  const auto lines = [n](const Standard::Parameters& p) { return probed_lines(p.m, n, p.k); };
  return {.filter = std::string(Standard::name),
          .shapes = {shape_of<Standard>(n, least, most, make, lines)}};
}

}  // namespace

Family standard_family(const Goal& goal) {
  const auto [m, k] = standard_size(goal);
  if (m == 0) return without_size(std::string(Standard::name));
  return standard_family(goal.n, goal.rate ? m : 1, m, k);
}

Family standard_family(std::uint64_t n, std::uint64_t m, std::uint64_t k) {
  if (m > max_filter_bits) return without_size(std::string(Standard::name));
  return standard_family(n, m, m, k);
}

Family partitioned_family(const Goal& goal) {
  Family family{.filter = std::string(Partitioned::name)};
  const auto lines = [n = goal.n](const Partitioned::Parameters& p) {
    return probed_lines(p.m, n, p.k);
  };
  for (const std::uint64_t k : probe_counts(goal)) {
    const auto make = [k](std::uint64_t units) {
      return Partitioned::Parameters{.m = units, .k = k};
    };
    family.shapes.push_back(shape_of<Partitioned>(goal.n, k, max_filter_bits, make, lines));
  }
  return family;
}

Family folded_family(const Goal& goal) {
  const auto [m, k] = standard_size(goal);
  if (m == 0 || m > max_filter_bits / 2) return without_size(std::string(Folded::name));
  const auto make = [probes = k](std::uint64_t units) {
    return Folded::Parameters{.m = 2 * units, .k = probes, .folded_to = units};
  };
  const auto lines = [n = goal.n](const Folded::Parameters& p) {
    return probed_lines(p.folded_to, n, p.k);
  };
  return {.filter = std::string(Folded::name),
          .traits = {.takes_keys_later = false},
          .shapes = {shape_of<Folded>(goal.n, 1, max_filter_bits / 2, make, lines)},
          .note = "filled at twice the size, then folded once; takes no keys afterwards"};
}

Family compressed_family(const Goal& goal) {
  const auto [m, k] = standard_size(goal);
  if (m == 0) return without_size(std::string(Compressed::name));
  // Half the probes of the standard filter: sparse enough to compress, not four times as large.
  const std::uint64_t probes = std::max<std::uint64_t>(k / 2, 1);
  const auto make = [probes](std::uint64_t units) {
    return Compressed::Parameters{.m = units, .k = probes};
  };
  const auto lines = [n = goal.n](const Compressed::Parameters& p) {
    return probed_lines(p.m, n, p.k);
  };
  return {.filter = std::string(Compressed::name),
          .shapes = {shape_of<Compressed>(goal.n, 1, max_filter_bits, make, lines)},
          .note = "larger in memory, smaller when sent: half the probes of a standard filter"};
}

}  // namespace bloomlab::planner
