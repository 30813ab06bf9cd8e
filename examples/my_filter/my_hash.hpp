// A hash function to begin with: FNV-1a over the bytes of the seed and the key, finished by the
// mixer of SplitMix64. Change whatever you like.
#pragma once

#include <cstdint>
#include <string_view>

struct MyHash {
  static constexpr std::string_view name = "my_hash";
  static constexpr std::string_view source = "FNV-1a with the finish of SplitMix64";

  /// The hash of a key; each seed gives a function of its own.
  std::uint64_t operator()(std::string_view key, std::uint64_t seed) const {
    std::uint64_t hash = 0xcbf29ce484222325 ^ mixed(seed);
    for (const char byte : key) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return mixed(hash);
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
};
