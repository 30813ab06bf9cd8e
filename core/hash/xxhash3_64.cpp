#include "core/hash/xxhash3_64.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/hash/detail/digest_each.hpp"
#include "core/simd/xxh3_words.hpp"

namespace bloomlab {

struct XxHash3_64::Function {
  std::uint64_t seed;
  explicit Function(std::uint64_t value) noexcept : seed(value) {}
  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {XXH3_64bits_withSeed(bytes, length, seed)};
  }
};

void XxHash3_64::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  if (keys.integer_bytes() != 0) {
    simd::hash_words(keys.values(), static_cast<std::uint64_t>(keys.integer_bytes()),
                     simd::Xxh3Word(seed), out.words);
  } else {
    HashBase::digest_batch(keys, seed, out);
  }
}

template struct HashBase<XxHash3_64, 1>;

}  // namespace bloomlab
