// Where a hash writes the digests of a batch: the writable twin of DigestBatch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomlab {

/// Word i of key j goes to `words[i * stride + j]`. Owns nothing.
struct DigestPlanes {
  std::uint64_t* words = nullptr;
  std::size_t stride = 0;  ///< distance between the planes [words], >= number of keys
  int width = 0;           ///< planes to write, 1 .. words of the hash

  /// The planes from number `first` on, `count` of them.
  [[nodiscard]] DigestPlanes planes(int first, int count) const noexcept {
    return {words + static_cast<std::size_t>(first) * stride, stride, count};
  }
};

}  // namespace bloomlab
