#include "core/hash/multiply_swap_64.hpp"

#include <tuple>

#include "core/hash/detail/multiply_mix_kernel.hpp"
#include "core/simd/multiply_swap.hpp"

namespace bloomlab {
namespace {

struct MultiplySwap64Kernel {
  detail::MultiplyMix64Kernel mix;
  explicit MultiplySwap64Kernel(std::uint64_t seed) noexcept : mix(seed) {}

  [[nodiscard]] simd::MultiplySwap word(std::size_t length) const noexcept {
    return {.flip = simd::fold_product(mix.start ^ length, simd::MultiplyMixEnd::c3)};
  }
  MultiplySwap64::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    if (length > 8) return mix(bytes, length);
    return {word(length)(detail::MultiplyMix64Kernel::load(bytes, length))};
  }
};

}  // namespace

MultiplySwap64::Digest MultiplySwap64::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return MultiplySwap64Kernel(seed)(key.data(), key.size());
}

void MultiplySwap64::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                  const DigestPlanes& out) {
  const MultiplySwap64Kernel kernel(seed);
  if (keys.integer_bytes() == 8) {
    simd::multiply_swap(keys.values(), kernel.word(8), out.words);
  } else {
    detail::digest_each<std::tuple_size_v<Digest>>(keys, kernel, out);
  }
}

}  // namespace bloomlab
