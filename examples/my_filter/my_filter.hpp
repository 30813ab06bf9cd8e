// A filter to begin with: a Bloom filter of seven probes by enhanced double
// hashing, with a hash of its own (FNV-1a, finished by the mixer of SplitMix64). Change whatever
// you like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

class MyFilter {
 public:
  static constexpr std::string_view name = "my_filter";
  static constexpr std::string_view summary = "seven probes by enhanced double hashing of FNV-1a";

  /// What the laboratory makes it of: the bits that a config asks for.
  explicit MyFilter(std::uint64_t bits) : bits_(bits == 0 ? 1 : bits), words_(bits_ / 64 + 1) {}

  void insert(std::string_view key) {
    for (Walk at(key, bits_); at.left != 0; at.step()) words_[at.place / 64] |= bit(at.place);
  }
  [[nodiscard]] bool contains(std::string_view key) const {
    for (Walk at(key, bits_); at.left != 0; at.step()) {
      if ((words_[at.place / 64] & bit(at.place)) == 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t memory_bits() const { return words_.size() * 64; }

 private:
  static constexpr int probes = 7;

  static std::uint64_t bit(std::uint64_t place) { return std::uint64_t{1} << (place % 64); }

  /// The places of a key, one after the other.
  struct Walk {
    Walk(std::string_view key, std::uint64_t size) : bits(size) {
      std::uint64_t hash = 0xcbf29ce484222325;
      for (const char byte : key) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
      stride = mixed(hash) % bits;
      place = mixed(hash + 0x9e3779b97f4a7c15) % bits;
    }
    void step() {
      place = (place + stride) % bits;
      stride = (stride + static_cast<std::uint64_t>(probes - --left)) % bits;
    }
    static std::uint64_t mixed(std::uint64_t x) {
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
      x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
      return x ^ (x >> 31);
    }
    std::uint64_t bits;
    std::uint64_t stride = 0;
    std::uint64_t place = 0;
    int left = probes;
  };

  std::uint64_t bits_;
  std::vector<std::uint64_t> words_;
};
