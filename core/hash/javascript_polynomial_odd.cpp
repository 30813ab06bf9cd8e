#include "core/hash/javascript_polynomial_odd.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {
namespace {

struct JavascriptPolynomialOddKernel {
  std::uint32_t multiplier;
  explicit JavascriptPolynomialOddKernel(std::uint64_t seed)
      : multiplier(JavascriptPolynomialOdd::multiplier(seed)) {}

  JavascriptPolynomialOdd::Digest operator()(const std::byte* bytes,
                                             std::size_t length) const noexcept {
    return {widened_32(detail::polynomial_32(multiplier, bytes, length))};
  }
};

}  // namespace

std::uint32_t JavascriptPolynomialOdd::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((((draw >> 44) << 1) | 1));
}

JavascriptPolynomialOdd::Digest JavascriptPolynomialOdd::digest(std::span<const std::byte> key,
                                                                std::uint64_t seed) {
  return JavascriptPolynomialOddKernel(seed)(key.data(), key.size());
}

void JavascriptPolynomialOdd::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                           const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, JavascriptPolynomialOddKernel(seed), out);
}

}  // namespace bloomlab
