// A split-block Bloom filter as somebody writes it who has read the paper, in forty lines and for
// one processor: no batches, no sizes chosen, the compiler's vectors of eight lanes. It is what
// calls of the library are measured beside. Sources: Putze, Sanders, Singler 2007, "Cache-, hash-
// and space-efficient Bloom filters", WEA; the finaliser: Appleby 2011, MurmurHash3.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

class PlainBlockFilter {
 public:
  explicit PlainBlockFilter(std::size_t bits) : blocks_((bits + 255) / 256) {}

  void insert(std::uint64_t key) { set(mixed(key)); }
  void insert(std::string_view key) { set(mixed(std::hash<std::string_view>()(key))); }
  bool contains(std::uint64_t key) const { return has(mixed(key)); }
  bool contains(std::string_view key) const {
    return has(mixed(std::hash<std::string_view>()(key)));
  }
  std::size_t bits() const { return 256 * blocks_.size(); }
  std::size_t bits_set() const {
    std::size_t set = 0;
    for (const Block& block : blocks_) {
      for (int i = 0; i < 8; ++i) set += static_cast<std::size_t>(std::popcount(block.lanes[i]));
    }
    return set;
  }

 private:
  using Lanes = std::uint32_t __attribute__((vector_size(32)));
  struct Block {
    Lanes lanes = {};
  };

  static std::uint64_t mixed(std::uint64_t key) {
    key = (key ^ (key >> 33)) * 0xff51afd7ed558ccdULL;
    key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return key ^ (key >> 33);
  }
  static void make_mask(std::uint64_t hash, Lanes& mask) {
    constexpr Lanes salts = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                             0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    constexpr Lanes ones = {1, 1, 1, 1, 1, 1, 1, 1};
    mask = ones << ((salts * static_cast<std::uint32_t>(hash)) >> 27);
  }
  std::size_t place(std::uint64_t hash) const {
    return static_cast<std::size_t>((hash >> 32) * blocks_.size() >> 32);
  }
  void set(std::uint64_t hash) {
    Lanes mask;
    make_mask(hash, mask);
    blocks_[place(hash)].lanes |= mask;
  }
  bool has(std::uint64_t hash) const {
    Lanes mask;
    make_mask(hash, mask);
    const Lanes& lanes = blocks_[place(hash)].lanes;
#if defined(__AVX2__)
    return _mm256_testc_si256(std::bit_cast<__m256i>(lanes), std::bit_cast<__m256i>(mask)) != 0;
#else
    std::uint32_t missing = 0;
    for (int i = 0; i < 8; ++i) missing |= mask[i] & ~lanes[i];
    return missing == 0;
#endif
  }

  std::vector<Block> blocks_;
};
