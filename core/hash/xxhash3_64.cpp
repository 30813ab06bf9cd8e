#include "core/hash/xxhash3_64.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/simd/xxh3_words.hpp"

namespace bloomlab {
namespace {

struct Xxhash364Kernel {
  std::uint64_t seed;
  explicit Xxhash364Kernel(std::uint64_t value) noexcept : seed(value) {}
  XxHash3_64::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {XXH3_64bits_withSeed(bytes, length, seed)};
  }
};

}  // namespace

XxHash3_64::Digest XxHash3_64::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Xxhash364Kernel(seed)(key.data(), key.size());
}

void XxHash3_64::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  if (keys.integer_bytes() == 8) {
    simd::hash_words(keys.values(), simd::Xxh3Word(seed), out.words);
  } else {
    detail::digest_each<std::tuple_size_v<Digest>>(keys, Xxhash364Kernel(seed), out);
  }
}

}  // namespace bloomlab
