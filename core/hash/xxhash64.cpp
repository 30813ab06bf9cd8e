#include "core/hash/xxhash64.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

struct XxHash64::Function {
  std::uint64_t seed;
  explicit Function(std::uint64_t value) noexcept : seed(value) {}
  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {XXH64(bytes, length, seed)};
  }
};

template struct HashBase<XxHash64, 1>;

}  // namespace bloomlab
