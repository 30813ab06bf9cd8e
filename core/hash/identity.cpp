#include "core/hash/identity.hpp"

#include "core/hash/detail/digest_each.hpp"

namespace bloomlab {

struct Identity::Function {
  explicit Function(std::uint64_t /*seed*/) noexcept {}
  Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 4 && i < length; ++i) {
      value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return {value};
  }
};

template struct HashBase<Identity, 1, 32>;

}  // namespace bloomlab
