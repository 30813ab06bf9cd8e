#include "cli/judge/conjunction.hpp"

#include <cmath>

#include "core/theory/hash_width.hpp"
#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {

using record::InputError;

namespace {

/// Each key is reported by its hash alone with the probability `same`, else by its positions.
double all_reported(const planner::Configured& configured, std::uint64_t keys) {
  double same = 0.0;
  std::uint64_t n = configured.n;
  if (configured.hash_bits) {
    same = theory::hash_width_rate(*configured.hash_bits, n, configured.m, configured.k).collision;
    n = theory::different_hashes(*configured.hash_bits, n);
  }
  const auto power = [](double base, std::uint64_t times) {
    return std::pow(base, static_cast<double>(times));
  };
  double rate = 0.0;
  double ways = 1.0;
  for (std::uint64_t by_hash = 0; by_hash <= keys; ++by_hash) {
    const std::uint64_t others = keys - by_hash;
    const double found =
        others == 0 ? 1.0 : theory::conjunction_fpr(configured.m, n, configured.k, others);
    rate += ways * power(same, by_hash) * power(1.0 - same, others) * found;
    if (same == 0.0) break;
    ways *= static_cast<double>(others) / static_cast<double>(by_hash + 1);
  }
  return rate;
}

}  // namespace

std::optional<Conjunction> take_conjunction(Assignments& given) {
  const auto text = given.take("together");
  if (!text) return std::nullopt;
  return Conjunction{
      .keys = planner::parse_count("together", *text, "keys of a query", theory::max_exact_probes)};
}

void evaluate(Conjunction& conjunction, const planner::Configured& configured, bool counted) {
  if (configured.filter != "standard" || !configured.scheme.empty()) {
    throw InputError(
        "judge: together is known of a standard filter with independent positions alone; leave "
        "out filter and scheme");
  }
  if (counted) {
    throw InputError(
        "judge: found together with seen; give counts of single absent keys, or leave out seen");
  }
  conjunction.rate = all_reported(configured, conjunction.keys);
}

std::string conjunction_text(const Conjunction& conjunction) {
  return "  together    " + planner::spaced(conjunction.keys) +
         " absent keys, all reported: " + significant(conjunction.rate, 6) + ", " +
         planner::one_in_text(conjunction.rate) + "\n";
}

}  // namespace bloomlab::cli
