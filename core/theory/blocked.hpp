// Filters whose probes stay inside one block: the exact rate is a mixture over the load of the
// query's block, which is binomial. All are exact for ideal hashing.
//
// Domain: every argument >= 1 except n >= 0 (0 gives 0), bits of a block or sector at most
// 65536, k at most 256, else DomainError. At most tens of milliseconds, whatever n.
#pragma once

#include <cstdint>
#include <vector>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// Largest block, sector or lane that is computed [bits].
inline constexpr std::uint64_t most_block_bits = 65536;

/// The shape of a cache-sectorized filter.
struct SectorLayout {
  std::uint64_t blocks = 1;
  std::uint64_t sectors = 1;         ///< in a block; a multiple of `groups`
  std::uint64_t sector_bits = 64;    ///< bits of a sector
  std::uint64_t groups = 1;          ///< a key picks one sector in each group of its block ...
  std::uint64_t bits_per_group = 1;  ///< ... and sets that many positions in it, with replacement
};

/// The rates of filters of blocks of one shape, for any number of blocks and keys: the rate of a
/// block by its keys, on which all time goes, is computed once. One thread at a time.
class BlockRates {
 public:
  /// The blocks of blocked_fpr(), of split_block_fpr() and of cache_sectorized_fpr().
  [[nodiscard]] static BlockRates plain(std::uint64_t block_bits, std::uint64_t k);
  /// @param position_bits of split_block_fpr()
  [[nodiscard]] static BlockRates of_lanes(std::uint64_t lanes, std::uint64_t lane_bits,
                                           std::uint64_t position_bits = 0);
  [[nodiscard]] static BlockRates of_sectors(const SectorLayout& layout);

  /// The rate of so many blocks with n keys.
  [[nodiscard]] double rate(std::uint64_t blocks, std::uint64_t n);
  /// What the rate is not below, but for rounding, and what takes much less time: each block with
  /// the mean of its fill, as the mean of a power is at least the power of the mean.
  [[nodiscard]] double at_mean_fill(std::uint64_t blocks, std::uint64_t n);

 private:
  enum class Kind { plain, lanes, sectors };
  BlockRates(Kind kind, const SectorLayout& shape);
  template <class Function>
  [[nodiscard]] double mixture(std::uint64_t blocks, std::uint64_t n, Function&& of_load) const;
  [[nodiscard]] double block_rate(std::uint64_t load);

  Kind kind_;
  SectorLayout shape_;
  double log_miss_ = 0.0;      ///< log of the chance that a key leaves a position empty
  double log_other_ = 0.0;     ///< log of the chance that two keys differ in their position bits
  double saturated_ = 0.0;     ///< keys of a sector from which its rate is 1 in double
  double full_ = 0.0;          ///< the same of a block
  std::vector<double> rates_;  ///< by the keys of a block; NaN: not asked for yet
  std::vector<double> sector_rates_;
  std::vector<double> at_mean_fill_;
};

/// A filter of blocks: a key picks one block and k positions in it, with replacement:
/// sum_i Binomial(n, 1/blocks)(i) exact_fpr(block_bits, i, k).
/// Source: Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters" (there
/// with a Poisson load and the classic inner rate).
[[nodiscard]] double blocked_fpr(std::uint64_t blocks, std::uint64_t block_bits, std::uint64_t n,
                                 std::uint64_t k);

/// A filter of blocks of lanes: a key sets one bit in every lane of its block:
/// sum_i Binomial(n, 1/blocks)(i) (1 - (1 - 1/lane_bits)^i)^lanes.
/// Where all positions in a block come from H bits of the hash, as they do in Parquet's filter and
/// ours (32), a key of the block with those of the query is enough: the rate of a block of i keys
/// is then c + (1 - c) q with c = 1 - (1 - 2^-H)^i and q the term above, never below about n /
/// (blocks 2^H). Keys of a block that are equal so among themselves are counted as two.
/// @param position_bits H, 1 to 64; 0: ideal positions, each key with its own
/// Source: the split-block filter of Apache Impala and Parquet (8 lanes of 32 bits); H: derived
/// here.
[[nodiscard]] double split_block_fpr(std::uint64_t blocks, std::uint64_t lanes,
                                     std::uint64_t lane_bits, std::uint64_t n,
                                     std::uint64_t position_bits = 0);

/// A filter of blocks of groups of sectors: with z = groups and G(i) the mean of
/// exact_fpr(sector_bits, j, bits_per_group) over j from Binomial(i, z/sectors), the rate is
/// sum_i Binomial(n, 1/blocks)(i) G(i)^z. groups = sectors is the sectorized filter, one sector a
/// register-blocked one.
/// Source: Lang, Neumann, Kemper, Boncz 2019, "Performance-optimal filtering".
[[nodiscard]] double cache_sectorized_fpr(const SectorLayout& layout, std::uint64_t n);

}  // namespace bloomlab::theory
