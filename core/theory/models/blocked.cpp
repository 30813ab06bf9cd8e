// Models of the filters whose probes stay inside a block.

#include "core/theory/blocked.hpp"

#include <cmath>

#include "core/theory/catalogue.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/models/arguments.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory::catalogue {
namespace {

constexpr double most_blocks = 0x1p46;

ArgumentInfo blocks_argument() {
  return integer_argument("nblocks", "blocks", "blocks of the filter", 1, most_blocks);
}

ArgumentInfo bits_argument(std::string_view name, std::string_view meaning) {
  return integer_argument(name, "bits", meaning, 1, static_cast<double>(most_block_bits));
}

/// Approximate rate of a standard filter of as many bits as all blocks have.
double standard_rate(std::uint64_t blocks, std::uint64_t parts, std::uint64_t bits, std::uint64_t n,
                     std::uint64_t k) {
  detail::require(
      static_cast<double>(blocks) * static_cast<double>(parts * bits) <= largest_integer, "blocks",
      "the filter would pass 2^63 bits; fewer blocks are allowed");
  return approx_fpr(blocks * parts * bits, n, k);
}

Evaluation evaluate_blocked(std::uint64_t blocks, std::uint64_t bits, std::uint64_t n,
                            std::uint64_t k) {
  return {blocked_fpr(blocks, bits, n, k),
          {{"standard_same_m", standard_rate(blocks, 1, bits, n, k)}}};
}

Evaluation evaluate_split_block(std::uint64_t blocks, std::uint64_t lanes, std::uint64_t bits,
                                std::uint64_t n, double position_bits) {
  const bool ideal = std::isnan(position_bits);
  detail::require(ideal || std::floor(position_bits) == position_bits, "split_block",
                  "argument \"position_bits\" is no whole number");
  return {split_block_fpr(blocks, lanes, bits, n,
                          ideal ? 0 : static_cast<std::uint64_t>(position_bits)),
          {{"standard_same_m", standard_rate(blocks, lanes, bits, n, lanes)}}};
}

Evaluation evaluate_cache_sectorized(std::uint64_t blocks, std::uint64_t sectors,
                                     std::uint64_t sector_bits, std::uint64_t groups,
                                     std::uint64_t bits_per_group, std::uint64_t n) {
  const std::uint64_t k = groups * bits_per_group;
  return {cache_sectorized_fpr({blocks, sectors, sector_bits, groups, bits_per_group}, n),
          {{"k", k}, {"standard_same_m", standard_rate(blocks, sectors, sector_bits, n, k)}}};
}

}  // namespace

Model blocked() {
  return {
      "blocked",
      "rate of a blocked filter, sum_i Binomial(n, 1/nblocks)(i) exact(block_bits, i, k)",
      "probability",
      "Putze, Sanders, Singler 2007, Cache-, hash- and space-efficient Bloom filters; exact for "
      "ideal hashing, positions in the block with replacement; "
      "standard_same_m: approximate rate of a standard filter of as many bits",
      {blocks_argument(), bits_argument("block_bits", "size of a block"), n_argument(),
       k_argument()},
      {"standard_same_m"},
      of_arguments<evaluate_blocked>};
}

Model split_block() {
  ArgumentInfo position_bits =
      closed_argument("position_bits", "bits",
                      "bits of the hash that the positions come from, 32 in Parquet; without it "
                      "each key has its own",
                      1.0, 64.0);
  position_bits.optional = true;
  return {"split_block",
          "rate of a split-block filter, sum_i Binomial(n, 1/nblocks)(i) (1 - (1 - "
          "1/lane_bits)^i)^lanes",
          "probability",
          "the split-block filter of Apache Impala and Parquet; exact for ideal hashing",
          {blocks_argument(), integer_argument("lanes", "lanes", "lanes of a block", 1, 256),
           bits_argument("lane_bits", "size of a lane"), n_argument(), position_bits},
          {"standard_same_m"},
          of_arguments<evaluate_split_block>};
}

Model cache_sectorized() {
  return {
      "cache_sectorized",
      "rate of a cache-sectorized filter: a key picks one sector in each group of its block and "
      "sets bits_per_group positions in it",
      "probability",
      "Lang, Neumann, Kemper, Boncz 2019, Performance-optimal filtering; exact for ideal "
      "hashing, positions in a sector with replacement",
      {blocks_argument(),
       integer_argument("sectors", "sectors", "sectors of a block, a multiple of groups", 1, 4096),
       bits_argument("sector_bits", "size of a sector"),
       integer_argument("groups", "groups", "groups of sectors in a block", 1, 256),
       integer_argument("bits_per_group", "probes per key", "positions set in each group", 1, 256),
       n_argument()},
      {"k", "standard_same_m"},
      of_arguments<evaluate_cache_sectorized>};
}

}  // namespace bloomlab::theory::catalogue
