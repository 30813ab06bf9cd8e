#include "core/hash/multiply_swap_64.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/simd/multiply_swap.hpp"

namespace bloomlab {

void MultiplySwap64::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                  const DigestPlanes& out) {
  const Kernel kernel(seed);
  if (keys.integer_bytes() == 8) {
    simd::multiply_swap(keys.values(), kernel.word(8), out.words);
  } else {
    HashBase::digest_batch(keys, seed, out);
  }
}

template struct HashBase<MultiplySwap64, 1>;

}  // namespace bloomlab
