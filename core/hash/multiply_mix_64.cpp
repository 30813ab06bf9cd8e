#include "core/hash/multiply_mix_64.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

void MultiplyMix64::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                 const DigestPlanes& out) {
  const Kernel kernel(seed);
  if (keys.integer_bytes() == 8) {
    simd::multiply_mix(keys.values(), {.factor = kernel.start | 1, .length = 8}, out.words);
  } else {
    HashBase::digest_batch(keys, seed, out);
  }
}

template struct HashBase<MultiplyMix64, 1>;

}  // namespace bloomlab
