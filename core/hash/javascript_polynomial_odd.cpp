#include "core/hash/javascript_polynomial_odd.hpp"

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/detail/polynomial_32.hpp"
#include "core/hash/widened_32.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {

struct JavascriptPolynomialOdd::Function {
  std::uint32_t multiplier;
  explicit Function(std::uint64_t seed) : multiplier(JavascriptPolynomialOdd::multiplier(seed)) {}

  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    return {widened_32(detail::polynomial_32(multiplier, bytes, length))};
  }
};

std::uint32_t JavascriptPolynomialOdd::multiplier(std::uint64_t seed) {
  const std::uint64_t draw = KeyedPermutation(seed)(0);
  return static_cast<std::uint32_t>((((draw >> 44) << 1) | 1));
}

template struct HashBase<JavascriptPolynomialOdd, 1, 32>;

}  // namespace bloomlab
