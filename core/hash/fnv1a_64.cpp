#include "core/hash/fnv1a_64.hpp"

#include <tuple>

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {
namespace {

struct Fnv1a64Kernel {
  static constexpr std::uint64_t offset_basis = 0xcbf29ce484222325ULL;
  static constexpr std::uint64_t prime = 0x100000001b3ULL;

  std::uint64_t state = offset_basis;  // after the seed bytes

  explicit Fnv1a64Kernel(std::uint64_t seed) noexcept {
    if (seed == 0) return;
    for (int i = 0; i < 8; ++i) step(state, (seed >> (8 * i)) & 0xff);
  }

  static void step(std::uint64_t& hash, std::uint64_t byte) noexcept {
    hash = (hash ^ byte) * prime;
  }

  Fnv1a_64::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t hash = state;
    for (std::size_t i = 0; i < length; ++i) step(hash, std::to_integer<std::uint64_t>(bytes[i]));
    return {hash};
  }
};

}  // namespace

Fnv1a_64::Digest Fnv1a_64::digest(std::span<const std::byte> key, std::uint64_t seed) {
  return Fnv1a64Kernel(seed)(key.data(), key.size());
}

void Fnv1a_64::digest_batch(const KeyBatch& keys, std::uint64_t seed, const DigestPlanes& out) {
  detail::digest_each<std::tuple_size_v<Digest>>(keys, Fnv1a64Kernel(seed), out);
}

}  // namespace bloomlab
