#include "core/bits/block_layouts.hpp"

#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"

namespace bloomlab {
namespace {

/// Set bits of `count` bits from bit `begin` on; count divides 64 and begin.
std::uint64_t count_part(std::span<const std::uint64_t> words, std::uint64_t begin,
                         std::uint64_t count) {
  const std::uint64_t part = words[static_cast<std::size_t>(begin / 64)] >> (begin % 64);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - count);
  return static_cast<std::uint64_t>(std::popcount(part & mask));
}

}  // namespace

double PlainBlocks::conditional_rate(std::span<const std::uint64_t> filter) const {
  // Blocks of equal count have equal rates: as many powers as there are counts.
  std::array<std::uint64_t, max_block_bits + 1> blocks_with = {};
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t begin = block * block_bits;
    const std::uint64_t bits_set =
        block_bits < 64
            ? count_part(filter, begin, block_bits)
            : count_set_bits(filter.subspan(static_cast<std::size_t>(begin / 64), words()));
    ++blocks_with[static_cast<std::size_t>(bits_set)];
  }
  double sum = 0.0;
  for (std::uint64_t bits_set = 0; bits_set <= block_bits; ++bits_set) {
    sum += static_cast<double>(blocks_with[static_cast<std::size_t>(bits_set)]) *
           bloomlab::conditional_rate(bits_set, block_bits, k);
  }
  return sum / static_cast<double>(blocks);
}

double SectorBlocks::conditional_rate(std::span<const std::uint64_t> filter) const {
  std::array<double, 65> sector_rate = {};
  for (std::uint64_t bits_set = 0; bits_set <= sector_bits; ++bits_set) {
    sector_rate[static_cast<std::size_t>(bits_set)] =
        bloomlab::conditional_rate(bits_set, sector_bits, bits_per_group);
  }
  const std::uint64_t choices = sectors / groups;
  double sum = 0.0;
  for (std::uint64_t begin = 0; begin < bits(); begin += block_bits()) {
    double block_rate = 1.0;
    for (std::uint64_t group = 0; group < groups; ++group) {
      double group_rate = 0.0;
      for (std::uint64_t sector = group * choices; sector < (group + 1) * choices; ++sector) {
        const std::uint64_t bits_set =
            count_part(filter, begin + sector * sector_bits, sector_bits);
        group_rate += sector_rate[static_cast<std::size_t>(bits_set)];
      }
      block_rate *= group_rate / static_cast<double>(choices);
    }
    sum += block_rate;
  }
  return sum / static_cast<double>(blocks);
}

double WordBlocks::conditional_rate(std::span<const std::uint64_t> filter) const {
  double sum = 0.0;
  for (std::size_t begin = 0; begin < filter.size(); begin += words()) {
    double block_rate = 1.0;
    for (const std::uint64_t word : filter.subspan(begin, words())) {
      block_rate *= static_cast<double>(std::popcount(word)) / static_cast<double>(word_bits);
    }
    sum += block_rate;
  }
  return sum / static_cast<double>(blocks);
}

double LaneBlocks::conditional_rate(std::span<const std::uint64_t> filter) const {
  double sum = 0.0;
  for (std::uint64_t begin = 0; begin < bits(); begin += block_bits) {
    double block_rate = 1.0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t bits_set = count_part(filter, begin + lane * lane_bits, lane_bits);
      block_rate *= static_cast<double>(bits_set) / static_cast<double>(lane_bits);
    }
    sum += block_rate;
  }
  return sum / static_cast<double>(blocks);
}

}  // namespace bloomlab
