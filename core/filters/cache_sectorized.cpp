#include "core/filters/cache_sectorized.hpp"

#include <sstream>

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<CacheSectorizedRules::Parameters> CacheSectorizedRules::examples() {
  return {{.m = 64, .k = 8, .groups = 8, .block_bits = 64, .sector_bits = 8},
          {.m = 512, .k = 256, .groups = 1, .block_bits = 512, .sector_bits = 64},
          {.m = 20480, .k = 6, .groups = 2, .block_bits = 512, .sector_bits = 64},
          {.m = 20480, .k = 8, .groups = 8, .block_bits = 512, .sector_bits = 64},
          {.m = 16384, .k = 8, .groups = 4, .block_bits = 256, .sector_bits = 16},
          {.m = 19200, .k = 4, .groups = 1, .block_bits = 128, .sector_bits = 32}};
}

std::optional<std::string> CacheSectorizedRules::check(const Parameters& p) {
  if (auto fault = detail::power_of_two_fault(name, "block_bits", p.block_bits, 64, max_block_bits))
    return fault;
  if (auto fault =
          detail::power_of_two_fault(name, "sector_bits", p.sector_bits, 8, max_sector_bits))
    return fault;
  const std::uint64_t sectors = p.block_bits / p.sector_bits;
  if (auto fault = detail::power_of_two_fault(name, "groups", p.groups, 1, sectors)) return fault;
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  if (p.k % p.groups != 0) {
    std::ostringstream text;
    text << name << ": k is " << p.k << "; it must be a multiple of groups = " << p.groups
         << ", so that each group gets as many positions";
    return text.str();
  }
  return detail::whole_blocks_fault(name, p.m, p.block_bits, max_filter_bits);
}

int CacheSectorizedRules::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

theory::Query CacheSectorizedRules::prediction(const Parameters& p, std::uint64_t n) {
  const SectorBlocks blocks = layout(p);
  return {"cache_sectorized",
          {{"nblocks", blocks.blocks},
           {"sectors", blocks.sectors},
           {"sector_bits", blocks.sector_bits},
           {"groups", blocks.groups},
           {"bits_per_group", blocks.bits_per_group},
           {"n", n}}};
}

Sizing<CacheSectorizedRules::Parameters> CacheSectorizedRules::sizing(const SizingGoal& goal) {
  Sizing<Parameters> sizing;
  for (const std::uint64_t groups : {2U, 4U}) {
    for (const std::uint64_t k : detail::probe_counts(goal)) {
      if (k % groups != 0) continue;
      const auto make = [k, groups](std::uint64_t blocks) {
        return Parameters{.m = blocks * line_bits,
                          .k = k,
                          .groups = groups,
                          .block_bits = line_bits,
                          .sector_bits = 64};
      };
      sizing.shapes.push_back({1, max_filter_bits / line_bits, make});
    }
  }
  return sizing;
}

LinesRead CacheSectorizedRules::lines(const Parameters& p, std::uint64_t /*n*/) {
  return detail::one_run(p.block_bits, p.block_bits);
}

SectorBlocks CacheSectorizedRules::layout(const Parameters& p) noexcept {
  return {.blocks = p.m / p.block_bits,
          .sectors = p.block_bits / p.sector_bits,
          .sector_bits = p.sector_bits,
          .groups = p.groups,
          .bits_per_group = p.k / p.groups};
}

}  // namespace bloomlab
