#include "core/theory/blocked.hpp"

#include <cmath>
#include <limits>
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

/// function(load), computed once.
template <class Function>
double once(std::vector<double>& known, std::uint64_t load, Function&& function) {
  if (load >= known.size()) known.resize(load + 1, std::numeric_limits<double>::quiet_NaN());
  if (std::isnan(known[load])) known[load] = function(load);
  return known[load];
}

}  // namespace

BlockRates::BlockRates(Kind kind, const SectorLayout& shape) : kind_(kind), shape_(shape) {
  log_miss_ = std::log1p(-1.0 / static_cast<double>(shape.sector_bits));
  if (kind == Kind::lanes) return;
  const double share = static_cast<double>(shape.groups) / static_cast<double>(shape.sectors);
  const double hit = std::expm1(static_cast<double>(shape.bits_per_group) * log_miss_);
  log_miss_ = std::log1p(share * hit);
}

BlockRates BlockRates::plain(std::uint64_t block_bits, std::uint64_t k) {
  require_block("blocked", block_bits, k);
  BlockRates rates(Kind::plain, {.sector_bits = block_bits, .bits_per_group = k});
  rates.full_ = saturating_load(block_bits, k, 1);
  return rates;
}

BlockRates BlockRates::of_lanes(std::uint64_t lanes, std::uint64_t lane_bits,
                                std::uint64_t position_bits) {
  require_block("split_block", lane_bits, lanes);
  detail::require(position_bits <= 64, "split_block", "positions from more than 64 bits");
  BlockRates rates(Kind::lanes, {.sectors = lanes, .sector_bits = lane_bits, .groups = lanes});
  if (position_bits > 0) {
    rates.log_other_ = std::log1p(-std::ldexp(1.0, -static_cast<int>(position_bits)));
  }
  rates.full_ = saturating_load(lane_bits, 1, lanes);
  return rates;
}

BlockRates BlockRates::of_sectors(const SectorLayout& layout) {
  const auto& [blocks, sectors, sector_bits, groups, bits_per_group] = layout;
  require_block("cache_sectorized", sector_bits, bits_per_group);
  detail::require(blocks >= 1 && sectors >= 1 && groups >= 1, "cache_sectorized",
                  "there is no block, sector or group");
  detail::require(sectors % groups == 0, "cache_sectorized",
                  "sectors is no multiple of groups; groups are of equal size");
  detail::require(groups <= max_exact_probes && groups * bits_per_group <= max_exact_probes,
                  "cache_sectorized", "more than 256 probes");
  BlockRates rates(Kind::sectors, layout);
  rates.saturated_ = saturating_load(sector_bits, bits_per_group, 1);
  // A sector is full in double only where nearly all likely loads are: allow ten deviations.
  const double share = static_cast<double>(sectors / groups);
  rates.full_ =
      rates.saturated_ * share + 20.0 * share * std::sqrt(rates.saturated_) + 200.0 * share;
  return rates;
}

double BlockRates::block_rate(std::uint64_t load) {
  const auto& [blocks, sectors, sector_bits, groups, bits_per_group] = shape_;
  if (load == 0) return 0.0;
  if (kind_ == Kind::plain) return exact_fpr(sector_bits, load, bits_per_group);
  const auto chosen = static_cast<double>(groups);
  if (kind_ == Kind::lanes) {
    const auto keys = static_cast<double>(load);
    const double all_set = std::pow(-std::expm1(keys * log_miss_), chosen);
    return all_set - (1.0 - all_set) * std::expm1(keys * log_other_);
  }
  const double group_rate =
      detail::binomial_mixture(load_law(load, groups, sectors), saturated_, [this](auto keys) {
        return once(sector_rates_, keys, [this](std::uint64_t in_sector) {
          return exact_fpr(shape_.sector_bits, in_sector, shape_.bits_per_group);
        });
      });
  return std::pow(group_rate, chosen);
}

template <class Function>
double BlockRates::mixture(std::uint64_t blocks, std::uint64_t n, Function&& of_load) const {
  detail::require(blocks >= 1, kind_ == Kind::plain ? "blocked" : "split_block",
                  "there is no block");
  if (n == 0) return 0.0;
  return detail::binomial_mixture(load_law(n, 1, blocks), full_, of_load);
}

double BlockRates::rate(std::uint64_t blocks, std::uint64_t n) {
  return mixture(blocks, n, [this](std::uint64_t load) {
    return once(rates_, load, [this](std::uint64_t keys) { return block_rate(keys); });
  });
}

double BlockRates::at_mean_fill(std::uint64_t blocks, std::uint64_t n) {
  return mixture(blocks, n, [this](std::uint64_t load) {
    return once(at_mean_fill_, load, [this](std::uint64_t keys) {
      return std::pow(-std::expm1(static_cast<double>(keys) * log_miss_),
                      static_cast<double>(shape_.groups * shape_.bits_per_group));
    });
  });
}

double blocked_fpr(std::uint64_t blocks, std::uint64_t block_bits, std::uint64_t n,
                   std::uint64_t k) {
  return BlockRates::plain(block_bits, k).rate(blocks, n);
}

double split_block_fpr(std::uint64_t blocks, std::uint64_t lanes, std::uint64_t lane_bits,
                       std::uint64_t n, std::uint64_t position_bits) {
  return BlockRates::of_lanes(lanes, lane_bits, position_bits).rate(blocks, n);
}

double cache_sectorized_fpr(const SectorLayout& layout, std::uint64_t n) {
  return BlockRates::of_sectors(layout).rate(layout.blocks, n);
}

}  // namespace bloomlab::theory
