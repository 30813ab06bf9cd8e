#include "core/hash/identity.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct IdentityKernel {
  explicit IdentityKernel(std::uint64_t /*seed*/) noexcept {}
  Identity::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 4 && i < length; ++i) {
      value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return {value};
  }
};

}  // namespace

Identity::Digest Identity::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return IdentityKernel(seed)(key.data(), key.size());
}

void Identity::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, IdentityKernel(seed), out);
}

}  // namespace bloomlab
