#include "core/hash/javascript_polynomial_odd.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {

struct JavascriptPolynomialOdd::Function : detail::Polynomial32<JavascriptPolynomialOdd> {
  using Polynomial32::Polynomial32;
};

std::uint32_t JavascriptPolynomialOdd::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((((draw >> 44) << 1) | 1));
}

template struct HashBase<JavascriptPolynomialOdd, 1, 32>;

}  // namespace bloomlab
