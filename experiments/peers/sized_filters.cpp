#include "experiments/peers/sized_filters.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

std::uint64_t whole_blocks(std::uint64_t bits, std::uint64_t block_bits) {
  return (bits + block_bits - 1) / block_bits * block_bits;
}

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(value + 0.5); }

/// A number of probes, which is 1 at least, and beyond some memory no more: such filters answer no
/// better by further probes than by the memory alone.
std::uint64_t probes_near(double value) {
  constexpr std::uint64_t most = 32;
  return std::clamp<std::uint64_t>(rounded(value), 1, most);
}

/// Fingerprints as long as the bits per key allow where a key takes `slots` of them.
std::uint64_t fingerprint_bits(double bits_per_key, double slots) {
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(bits_per_key / slots), 2, 32);
}

Json sized_classic(std::uint64_t n, double bits_per_key) {
  return {{"m", peer_bits(n, bits_per_key)}, {"k", best_probes(bits_per_key)}};
}

// The k of blocked filters: blocks are filled unevenly, so that fewer probes are better the smaller
// the blocks. The rules hit the best k of theory, or one beside it, from 8 to 20 bits per key.
Json sized_blocked(std::uint64_t n, double bits_per_key) {
  return {{"m", whole_blocks(peer_bits(n, bits_per_key), 512)},
          {"k", probes_near(bits_per_key * 0.6)},
          {"block_bits", 512}};
}

Json sized_register_blocked(std::uint64_t n, double bits_per_key) {
  return {{"m", whole_blocks(peer_bits(n, bits_per_key), 64)},
          {"k", probes_near(bits_per_key / 4.0 + 2.0)},
          {"word_bits", 64}};
}

Json sized_cache_sectorized(std::uint64_t n, double bits_per_key) {
  return {{"m", whole_blocks(peer_bits(n, bits_per_key), 512)},
          {"k", 2 * probes_near(bits_per_key * 0.3)},
          {"groups", 2},
          {"block_bits", 512},
          {"sector_bits", 64}};
}

Json sized_split_block(std::uint64_t n, double bits_per_key) {
  return {{"m", whole_blocks(peer_bits(n, bits_per_key), 256)}};
}

Json sized_multiblock(std::uint64_t n, double bits_per_key) {
  return {{"m", whole_blocks(peer_bits(n, bits_per_key), 512)}, {"k", 8}};
}

Json sized_counting(std::uint64_t n, double bits_per_key) {
  return {{"m", peer_bits(n, bits_per_key)},
          {"k", best_probes(bits_per_key)},
          {"counter_bits", 4},
          {"overflow", "saturate"}};
}

/// Four layers, each twice the one before: 15 times the first capacity.
Json sized_scalable(std::uint64_t n, double bits_per_key) {
  // Lower rates than this nobody can measure.
  constexpr double lowest_target = 1e-15;
  double target = 1.0;
  for (double bit = 1.0; bit <= bits_per_key; bit += 1.0) target *= 0.618503137801576;
  return {{"target", std::max(target, lowest_target)},
          {"tightening", 0.5},
          {"growth", 2},
          {"first_capacity", (n + 14) / 15},
          {"insert_policy", "always"}};
}

/// Buckets of 4 for a load of at most 0.95; their number is a power of two, so that up to half of
/// them are to spare.
Json sized_cuckoo(std::uint64_t n, double bits_per_key) {
  const auto needed = static_cast<std::uint64_t>(static_cast<double>(n) / (4 * 0.95)) + 1;
  return {{"fingerprint_bits", fingerprint_bits(bits_per_key, 1.0 / 0.95)},
          {"bucket_size", 4},
          {"buckets", std::bit_ceil(needed)}};
}

Json sized_xor_filter(std::uint64_t /*n*/, double bits_per_key) {
  return {{"fingerprint_bits", fingerprint_bits(bits_per_key, 1.23)}};
}

Json sized_binary_fuse(std::uint64_t /*n*/, double bits_per_key) {
  return {{"arity", 3}, {"fingerprint_bits", fingerprint_bits(bits_per_key, 1.13)}};
}

Json sized_ribbon(std::uint64_t /*n*/, double bits_per_key) {
  return {{"width", 128}, {"result_bits", fingerprint_bits(bits_per_key, 1.1)}, {"overhead", 0.1}};
}

Json no_parameters(std::uint64_t /*n*/, double /*bits_per_key*/) { return Json::object(); }

}  // namespace

std::span<const SizedFilter> sized_filters() {
  static constexpr std::array<SizedFilter, 16> all = {{{"standard", sized_classic},
                                                       {"partitioned", sized_classic},
                                                       {"blocked", sized_blocked},
                                                       {"register_blocked", sized_register_blocked},
                                                       {"cache_sectorized", sized_cache_sectorized},
                                                       {"split_block", sized_split_block},
                                                       {"multiblock", sized_multiblock},
                                                       {"counting", sized_counting},
                                                       {"scalable", sized_scalable},
                                                       {"cuckoo", sized_cuckoo},
                                                       {"xor_filter", sized_xor_filter},
                                                       {"binary_fuse", sized_binary_fuse},
                                                       {"ribbon", sized_ribbon},
                                                       {"unordered_set", no_parameters},
                                                       {"sorted_vector", no_parameters},
                                                       {"linear_list", no_parameters}}};
  return all;
}

}  // namespace bloomlab::experiments
