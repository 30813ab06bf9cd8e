#include "core/hash/multiply_swap_64.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/simd/multiply_swap.hpp"

namespace bloomlab {
MultiplySwap64::Digest MultiplySwap64::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Kernel(seed)(key.data(), key.size());
}

void MultiplySwap64::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                  const DigestPlanes& out) {
  const Kernel kernel(seed);
  if (keys.integer_bytes() == 8) {
    simd::multiply_swap(keys.values(), kernel.word(8), out.words);
  } else {
    detail::digest_each<std::tuple_size_v<Digest>>(keys, kernel, out);
  }
}

}  // namespace bloomlab
