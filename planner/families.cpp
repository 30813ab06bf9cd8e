#include "planner/families.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

/// Layers ask for a few more probes than log2(1/p).
constexpr std::uint64_t spare_probes = 4;

}  // namespace

std::uint64_t most_probes(const Goal& goal) {
  const double bits = static_cast<double>(goal.memory_bits.value_or(0));
  const double ideal =
      goal.rate ? -std::log2(*goal.rate) : bits / static_cast<double>(goal.n) * std::log(2.0);
  return static_cast<std::uint64_t>(std::clamp(std::ceil(ideal) + static_cast<double>(spare_probes),
                                               1.0, static_cast<double>(theory::max_exact_probes)));
}

std::vector<std::uint64_t> probe_counts(const Goal& goal) {
  const std::uint64_t most = most_probes(goal);
  const std::uint64_t likeliest = most > spare_probes ? most - spare_probes : 1;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t k = likeliest; k >= 1; --k) counts.push_back(k);
  for (std::uint64_t k = likeliest + 1; k <= most; ++k) counts.push_back(k);
  return counts;
}

StandardSize standard_size(const Goal& goal, std::uint64_t bits_per_place) {
  if (goal.rate) {
    const theory::FilterSize size = theory::smallest_filter_exact(goal.n, *goal.rate);
    return size.m <= max_filter_bits ? StandardSize{size.m, size.k} : StandardSize{};
  }
  const std::uint64_t memory = std::min(goal.memory_bits.value_or(0), max_filter_bits);
  const std::uint64_t m = memory / bits_per_place;
  return m == 0 ? StandardSize{} : StandardSize{m, theory::optimal_k(m, goal.n).k};
}

std::vector<Family> families(const Goal& goal) {
  std::vector<Family> all = {standard_family(goal),
                             partitioned_family(goal),
                             blocked_family(goal),
                             register_blocked_family(goal),
                             cache_sectorized_family(goal),
                             split_block_family(goal),
                             multiblock_family(goal),
                             counting_family(goal),
                             spectral_family(goal),
                             scalable_family(goal),
                             scalable_partitioned_family(goal),
                             scalable_untightened_family(goal),
                             cuckoo_family(goal),
                             xor_family(goal),
                             binary_fuse_family(goal),
                             ribbon_family(goal),
                             dynamic_family(goal),
                             folded_family(goal),
                             compressed_family(goal)};
  std::ranges::move(exact_families(goal), std::back_inserter(all));
  all.push_back(fingerprint_table_family(goal));
  all.push_back(digest_set_family(goal));
  return all;
}

}  // namespace bloomlab::planner
