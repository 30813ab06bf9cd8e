// Systems whose filter keeps a key in one block: RocksDB and Apache Parquet.

#include <algorithm>
#include <array>
#include <bit>

#include "core/theory/blocked.hpp"
#include "planner/presets/shared.hpp"

namespace bloomlab::planner {
namespace {

/// Thousandths of a bit per key up to which RocksDB takes 1, 2, ... probes.
constexpr std::array<std::uint64_t, 12> rocksdb_limits = {2080,  3580,  5100,  6640,  8300,  10070,
                                                          11720, 14001, 16050, 18300, 22001, 25501};

std::uint64_t rocksdb_probes(std::uint64_t millibits_per_key) {
  constexpr std::uint64_t many = 50000;
  const auto limit = std::ranges::lower_bound(rocksdb_limits, millibits_per_key);
  if (limit != rocksdb_limits.end()) {
    return static_cast<std::uint64_t>(limit - rocksdb_limits.begin()) + 1;
  }
  return millibits_per_key > many ? 24 : (millibits_per_key - 1) / 2000 - 1;
}

}  // namespace

PresetFilter size_rocksdb(const PresetRequest& request) {
  constexpr std::uint64_t block = 512;
  constexpr double thousand = 1000.0;
  const double millibits = std::round(*request.bits_per_key * thousand);
  const double wanted = static_cast<double>(request.n) * millibits / thousand;
  const std::uint64_t bits = std::max<std::uint64_t>(detail::preset_bits(std::ceil(wanted)), 1);
  const std::uint64_t m = (bits + block - 1) / block * block;
  const double real = static_cast<double>(m) / static_cast<double>(request.n) * thousand;
  const std::uint64_t k = rocksdb_probes(static_cast<std::uint64_t>(real));
  return {.m = m,
          .k = k,
          .layout = "blocked",
          .rate = theory::blocked_fpr(m / block, block, request.n, k),
          .remark = "all k positions in one cache line: more false positives than " +
                    std::string("a standard filter of that size")};
}

PresetFilter size_parquet(const PresetRequest& request) {
  constexpr std::uint64_t lanes = 8;
  constexpr std::uint64_t lane_bits = 32;
  constexpr std::uint64_t least = lanes * lane_bits;
  constexpr std::uint64_t most = std::uint64_t{1} << 30;  // 128 MiB
  const double wanted = -8.0 * static_cast<double>(request.n) /
                        std::log(1.0 - std::pow(*request.p, 1.0 / static_cast<double>(lanes)));
  const std::uint64_t m = wanted >= static_cast<double>(most)
                              ? most
                              : std::bit_ceil(std::max(static_cast<std::uint64_t>(wanted), least));
  PresetFilter filter{.m = m,
                      .k = lanes,
                      .layout = "split_block",
                      .rate = theory::split_block_fpr(m / least, lanes, lane_bits, request.n),
                      .stated_rate = theory::approx_fpr(m, request.n, lanes)};
  filter.remark = m == most && wanted > static_cast<double>(most)
                      ? "cut at 128 MiB: too small for so many keys"
                      : "sized as if a standard filter with k = 8; only rounding m up to a power "
                        "of two can make up for the blocks";
  return filter;
}

}  // namespace bloomlab::planner
