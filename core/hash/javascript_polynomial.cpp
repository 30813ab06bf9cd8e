#include "core/hash/javascript_polynomial.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {
namespace {

struct JavascriptPolynomialKernel {
  std::uint32_t multiplier;
  explicit JavascriptPolynomialKernel(std::uint64_t seed)
      : multiplier(JavascriptPolynomial::multiplier(seed)) {}

  JavascriptPolynomial::Digest operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    return {widened_32(detail::polynomial_32(multiplier, bytes, length))};
  }
};

}  // namespace

std::uint32_t JavascriptPolynomial::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((32 + (draw >> 59)));
}

JavascriptPolynomial::Digest JavascriptPolynomial::digest(std::span<const std::byte> key,
                                                          std::uint64_t seed) {
  return JavascriptPolynomialKernel(seed)(key.data(), key.size());
}

void JavascriptPolynomial::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                                        const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, JavascriptPolynomialKernel(seed), out);
}

}  // namespace bloomlab
