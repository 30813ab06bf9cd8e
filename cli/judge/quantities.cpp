#include "cli/judge/quantities.hpp"

#include <algorithm>
#include <cmath>

#include "core/parameters.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

using record::InputError;

/// Most keys at which a standard filter keeps the rate.
std::uint64_t most_keys(std::uint64_t m, std::uint64_t k, double p) {
  std::uint64_t low = 0;
  std::uint64_t high = m;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (theory::exact_fpr(m, middle, k) <= p) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

std::uint64_t number_of_bits(const std::string& name, const std::string& text) {
  const bool has_unit = text.ends_with('B') || text.ends_with('b') || text.ends_with("bit");
  return has_unit ? planner::parse_memory(name, text) : planner::parse_count(name, text, "bits");
}

Quantities take_quantities(Assignments& given) {
  Quantities taken;
  if (const auto text = given.take("n")) taken.n = planner::parse_count("n", *text, "keys");
  if (const auto text = given.take("m")) taken.m = number_of_bits("m", *text);
  if (const auto text = given.take("k"))
    taken.k = planner::parse_count("k", *text, "probes", max_probes);
  taken.p = given.take_rate();
  return taken;
}

void solve(Quantities& quantities) {
  if (quantities.n && quantities.m) return;
  const bool solvable = quantities.p && (quantities.n || quantities.m);
  if (!solvable) {
    const std::string missing = quantities.n ? "m" : "n";
    throw InputError("judge: " + missing + " is missing; give n and m, such as n=1M m=10M k=7, " +
                     "or one of them and the rate p, or a --preset");
  }
  if (quantities.n) {
    quantities.m = theory::smallest_filter_exact(*quantities.n, *quantities.p).m;
    return;
  }
  const auto best =
      static_cast<std::uint64_t>(std::clamp(std::round(-std::log2(*quantities.p)), 1.0, 256.0));
  quantities.n = most_keys(*quantities.m, quantities.k.value_or(best), *quantities.p);
  if (*quantities.n == 0) {
    throw InputError("judge: " + std::to_string(*quantities.m) +
                     " bits keep the rate for no key; give more bits, or n");
  }
}

}  // namespace bloomlab::cli
