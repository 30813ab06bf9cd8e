#include "core/hash/split_mix.hpp"

#include <algorithm>
#include <cstring>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct SplitMixKernel {
  std::uint64_t seed;

  static std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  SplitMix::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15ULL;
    std::uint64_t state = mix(seed + step) ^ length;
    for (std::size_t i = 0; i < length; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min<std::size_t>(8, length - i));
      state = mix((state ^ word) + step);
    }
    return {state};
  }
};

}  // namespace

SplitMix::Digest SplitMix::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return SplitMixKernel{seed}(key.data(), key.size());
}

void SplitMix::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<1>(keys, SplitMixKernel{seed}, out);
}

}  // namespace bloomlab
