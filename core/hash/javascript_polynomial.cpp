#include "core/hash/javascript_polynomial.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {

struct JavascriptPolynomial::Function : detail::Polynomial32<JavascriptPolynomial> {
  using Polynomial32::Polynomial32;
};

std::uint32_t JavascriptPolynomial::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((32 + (draw >> 59)));
}

template struct HashBase<JavascriptPolynomial, 1, 32>;

}  // namespace bloomlab
