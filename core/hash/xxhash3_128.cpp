#include "core/hash/xxhash3_128.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

struct XxHash3_128::Function {
  std::uint64_t seed;
  explicit Function(std::uint64_t value) noexcept : seed(value) {}
  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, length, seed);
    return {hash.low64, hash.high64};
  }
};

template struct HashBase<XxHash3_128, 2>;

}  // namespace bloomlab
