// Containers that keep the keys themselves, counted for keys of 8 bytes.

#include <algorithm>
#include <cmath>

#include "core/filters/direct_bitmap.hpp"
#include "core/filters/linear_list.hpp"
#include "core/filters/sorted_vector.hpp"
#include "core/filters/std_set.hpp"
#include "core/filters/unordered_set.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"

namespace bloomlab::planner {
namespace {

template <class Set>
Family container_family(const Goal& goal, const LinesRead& read) {
  const auto make = [](std::uint64_t /*units*/) { return typename Set::Parameters{}; };
  const auto lines = [read](const typename Set::Parameters& /*p*/) { return read; };
  return {.filter = std::string(Set::name),
          .traits = {.grows = true, .exact = true},
          .shapes = {shape_of<Set>(goal.n, 1, 1, make, lines)},
          .note = "for keys of 8 bytes"};
}

/// Steps of a search that halves, of which the last few stay in one line.
LinesRead halving_lines(std::uint64_t n, double in_one_line) {
  const double steps = std::max(1.0, std::log2(static_cast<double>(n)) - in_one_line);
  return {steps, steps};
}

Family bitmap_family() {
  Family family;
  family.filter = std::string(DirectBitmap::name);
  family.traits = {.grows = true, .exact = true};
  family.unavailable = "needs integer keys below a known bound: one bit for each possible key";
  return family;
}

}  // namespace

std::vector<Family> exact_families(const Goal& goal) {
  const auto keys = static_cast<double>(goal.n);
  constexpr double keys_per_line = 8.0;
  return {container_family<UnorderedSet>(goal, {2.0, 2.0}),
          container_family<StdSet>(goal, halving_lines(goal.n, 0.0)),
          container_family<SortedVector>(goal, halving_lines(goal.n, std::log2(keys_per_line))),
          container_family<LinearList>(goal, {keys, keys / 2.0}), bitmap_family()};
}

}  // namespace bloomlab::planner
