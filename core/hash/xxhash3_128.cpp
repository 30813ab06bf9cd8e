#include "core/hash/xxhash3_128.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct Xxhash3128Kernel {
  std::uint64_t seed;
  explicit Xxhash3128Kernel(std::uint64_t value) noexcept : seed(value) {}
  XxHash3_128::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, length, seed);
    return {hash.low64, hash.high64};
  }
};

}  // namespace

XxHash3_128::Digest XxHash3_128::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Xxhash3128Kernel(seed)(key.data(), key.size());
}

void XxHash3_128::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Xxhash3128Kernel(seed), out);
}

}  // namespace bloomlab
