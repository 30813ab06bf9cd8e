// Filters that keep a key's bits inside one block.

#include "core/filters/blocked.hpp"
#include "core/filters/cache_sectorized.hpp"
#include "core/filters/multiblock.hpp"
#include "core/filters/register_blocked.hpp"
#include "core/filters/split_block.hpp"
#include "planner/families.hpp"
#include "planner/lines.hpp"

namespace bloomlab::planner {
namespace {

/// Blocks that begin at multiples of their size.
template <class Parameters>
auto block_lines(std::uint64_t block_bits) {
  return [block_bits](const Parameters& /*p*/) {
    const double lines = run_lines(block_bits, block_bits);
    return LinesRead{lines, lines};
  };
}

}  // namespace

Family blocked_family(const Goal& goal) {
  Family family{.filter = std::string(Blocked::name)};
  for (const std::uint64_t k : probe_counts(goal)) {
    const auto make = [k](std::uint64_t blocks) {
      return Blocked::Parameters{.m = blocks * line_bits, .k = k, .block_bits = line_bits};
    };
    family.shapes.push_back(shape_of<Blocked>(goal.n, 1, max_filter_bits / line_bits, make,
                                              block_lines<Blocked::Parameters>(line_bits)));
  }
  return family;
}

Family register_blocked_family(const Goal& goal) {
  constexpr std::uint64_t word = 64;
  Family family{.filter = std::string(RegisterBlocked::name)};
  for (const std::uint64_t k : probe_counts(goal)) {
    const auto make = [k](std::uint64_t words) {
      return RegisterBlocked::Parameters{.m = words * word, .k = k, .word_bits = word};
    };
    family.shapes.push_back(shape_of<RegisterBlocked>(
        goal.n, 1, max_filter_bits / word, make, block_lines<RegisterBlocked::Parameters>(word)));
  }
  return family;
}

Family cache_sectorized_family(const Goal& goal) {
  constexpr std::uint64_t sector = 64;
  Family family{.filter = std::string(CacheSectorized::name)};
  for (const std::uint64_t groups : {2U, 4U}) {
    for (const std::uint64_t k : probe_counts(goal)) {
      if (k % groups != 0) continue;
      const auto make = [k, groups](std::uint64_t blocks) {
        return CacheSectorized::Parameters{.m = blocks * line_bits,
                                           .k = k,
                                           .groups = groups,
                                           .block_bits = line_bits,
                                           .sector_bits = sector};
      };
      family.shapes.push_back(
          shape_of<CacheSectorized>(goal.n, 1, max_filter_bits / line_bits, make,
                                    block_lines<CacheSectorized::Parameters>(line_bits)));
    }
  }
  return family;
}

Family split_block_family(const Goal& goal) {
  constexpr std::uint64_t block = 256;
  const auto make = [](std::uint64_t blocks) {
    return SplitBlock::Parameters{.m = blocks * block};
  };
  return {.filter = std::string(SplitBlock::name),
          .shapes = {shape_of<SplitBlock>(goal.n, 1, SplitBlock::max_m / block, make,
                                          block_lines<SplitBlock::Parameters>(block))}};
}

Family multiblock_family(const Goal& goal) {
  constexpr std::uint64_t word = 64;
  Family family{.filter = std::string(Multiblock::name)};
  for (std::uint64_t k = Multiblock::max_words; k >= 1; --k) {
    const auto make = [k](std::uint64_t blocks) {
      return Multiblock::Parameters{.m = blocks * k * word, .k = k};
    };
    family.shapes.push_back(shape_of<Multiblock>(goal.n, 1, max_filter_bits / (k * word), make,
                                                 block_lines<Multiblock::Parameters>(k * word)));
  }
  return family;
}

}  // namespace bloomlab::planner
