#include "core/theory/blocked.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include "core/theory/detail/binomial_mixture.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

/// Load from which the rate of `bits` bits is 1 in double: probes e^(-load probes/bits) < 2^-57.
double saturating_load(std::uint64_t bits, std::uint64_t probes, std::uint64_t repeats) {
  const auto all = static_cast<double>(probes * repeats);
  return static_cast<double>(bits) / static_cast<double>(probes) * (40.0 + std::log(all)) + 1.0;
}

/// The number of `n` keys that choose one of `places`, by a share of `chosen` places each.
detail::BinomialLaw load_law(std::uint64_t n, std::uint64_t chosen, std::uint64_t places) {
  const auto all = static_cast<double>(places);
  return {static_cast<double>(n), static_cast<double>(chosen) / all,
          static_cast<double>(places - chosen) / all};
}

void require_block(std::string_view where, std::uint64_t bits, std::uint64_t k) {
  detail::require_filter(where, bits, k);
  detail::require(bits <= most_block_bits, where, "a block or sector of more than 65536 bits");
  detail::require(k <= max_exact_probes, where, "more than 256 probes");
}

}  // namespace

double blocked_fpr(std::uint64_t blocks, std::uint64_t block_bits, std::uint64_t n,
                   std::uint64_t k) {
  require_block("blocked", block_bits, k);
  detail::require(blocks >= 1, "blocked", "there is no block");
  if (n == 0) return 0.0;
  return detail::binomial_mixture(
      load_law(n, 1, blocks), saturating_load(block_bits, k, 1),
      [&](std::uint64_t load) { return exact_fpr(block_bits, load, k); });
}

double split_block_fpr(std::uint64_t blocks, std::uint64_t lanes, std::uint64_t lane_bits,
                       std::uint64_t n) {
  require_block("split_block", lane_bits, lanes);
  detail::require(blocks >= 1, "split_block", "there is no block");
  if (n == 0) return 0.0;
  const double log_miss = std::log1p(-1.0 / static_cast<double>(lane_bits));
  return detail::binomial_mixture(
      load_law(n, 1, blocks), saturating_load(lane_bits, 1, lanes), [&](std::uint64_t load) {
        if (load == 0) return 0.0;
        return std::pow(-std::expm1(static_cast<double>(load) * log_miss),
                        static_cast<double>(lanes));
      });
}

double cache_sectorized_fpr(const SectorLayout& layout, std::uint64_t n) {
  const auto& [blocks, sectors, sector_bits, groups, bits_per_group] = layout;
  require_block("cache_sectorized", sector_bits, bits_per_group);
  detail::require(blocks >= 1 && sectors >= 1 && groups >= 1, "cache_sectorized",
                  "there is no block, sector or group");
  detail::require(sectors % groups == 0, "cache_sectorized",
                  "sectors is no multiple of groups; groups are of equal size");
  detail::require(groups <= max_exact_probes && groups * bits_per_group <= max_exact_probes,
                  "cache_sectorized", "more than 256 probes");
  if (n == 0) return 0.0;
  const double saturated = saturating_load(sector_bits, bits_per_group, 1);
  std::vector<double> inner;  // rate of a sector with that many keys, as far as asked
  const auto sector_rate = [&, bits = sector_bits, probes = bits_per_group](std::uint64_t load) {
    while (inner.size() <= load) inner.push_back(exact_fpr(bits, inner.size(), probes));
    return inner[load];
  };
  const auto block_rate = [&, chosen = groups, places = sectors](std::uint64_t load) {
    const double group_rate =
        detail::binomial_mixture(load_law(load, chosen, places), saturated, sector_rate);
    return std::pow(group_rate, static_cast<double>(chosen));
  };
  // A sector is full in double only where nearly all likely loads are: allow ten deviations.
  const double share = static_cast<double>(sectors / groups);
  const double full = saturated * share + 20.0 * share * std::sqrt(saturated) + 200.0 * share;
  return detail::binomial_mixture(load_law(n, 1, blocks), full, block_rate);
}

}  // namespace bloomlab::theory
