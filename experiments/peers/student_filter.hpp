// A Bloom filter as a student writes it in an afternoon: bits in a vector of bool, one hash
// function under k seeds, the remainder for a position. This file is frozen: speeds are told as
// multiples of its own, and results carry the SHA-256 of this text. A change makes all of them
// incomparable. Source of the hash: Appleby 2008, "MurmurHash2, 64-bit version for 64-bit
// platforms".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

class StudentFilter {
 public:
  StudentFilter(std::size_t m, int k) : bits_(m, false), k_(k) {}

  void insert(const void* key, std::size_t length) {
    for (int i = 0; i < k_; ++i) {
      bits_[murmur(key, length, static_cast<std::uint64_t>(i)) % bits_.size()] = true;
    }
  }

  bool contains(const void* key, std::size_t length) const {
    for (int i = 0; i < k_; ++i) {
      if (!bits_[murmur(key, length, static_cast<std::uint64_t>(i)) % bits_.size()]) return false;
    }
    return true;
  }

  std::size_t size() const { return bits_.size(); }

  std::size_t count() const {
    std::size_t set = 0;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i]) ++set;
    }
    return set;
  }

 private:
  static std::uint64_t murmur(const void* key, std::size_t length, std::uint64_t seed) {
    const std::uint64_t m = 0xc6a4a7935bd1e995ULL;
    const int r = 47;
    std::uint64_t h = seed ^ (length * m);
    const unsigned char* data = static_cast<const unsigned char*>(key);
    const unsigned char* end = data + (length / 8) * 8;
    while (data != end) {
      std::uint64_t w;
      std::memcpy(&w, data, 8);
      data += 8;
      w *= m;
      w ^= w >> r;
      w *= m;
      h ^= w;
      h *= m;
    }
    const std::size_t rest = length & 7;
    for (std::size_t i = rest; i > 0; --i) {
      h ^= static_cast<std::uint64_t>(data[i - 1]) << (8 * (i - 1));
    }
    if (rest > 0) h *= m;
    h ^= h >> r;
    h *= m;
    h ^= h >> r;
    return h;
  }

  std::vector<bool> bits_;
  int k_;
};
