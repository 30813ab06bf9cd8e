#include "core/hash/xxhash64.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct Xxhash64Kernel {
  std::uint64_t seed;
  explicit Xxhash64Kernel(std::uint64_t value) noexcept : seed(value) {}
  XxHash64::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {XXH64(bytes, length, seed)};
  }
};

}  // namespace

XxHash64::Digest XxHash64::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Xxhash64Kernel(seed)(key.data(), key.size());
}

void XxHash64::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Xxhash64Kernel(seed), out);
}

}  // namespace bloomlab
