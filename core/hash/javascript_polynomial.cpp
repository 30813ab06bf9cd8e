#include "core/hash/javascript_polynomial.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {

struct JavascriptPolynomial::Function {
  std::uint32_t multiplier;
  explicit Function(std::uint64_t seed) : multiplier(JavascriptPolynomial::multiplier(seed)) {}

  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {widened_32(detail::polynomial_32(multiplier, bytes, length))};
  }
};

std::uint32_t JavascriptPolynomial::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((32 + (draw >> 59)));
}

template struct HashBase<JavascriptPolynomial, 1, 32>;

}  // namespace bloomlab
