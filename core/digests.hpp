// The hash stage's output: a batch of keys as 64-bit words, ready to be turned into positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab {

/// What a probe asks of the hash stage.
struct DigestNeed {
  /// 64-bit words per key, >= 1.
  int words = 1;
  /// True: word i is the first word of the hash under the i-th seed (a family of functions, as
  /// independent probes need). False: the words come from as few evaluations as the hash allows.
  bool family = false;

  friend bool operator==(const DigestNeed&, const DigestNeed&) = default;
};

/// A view of the digests of a batch of keys. Planar: word i of key j stands at
/// `words[i * stride + j]`, so that one word of many keys is one run of memory. Owns nothing.
struct DigestBatch {
  const std::uint64_t* words = nullptr;
  std::size_t stride = 0;  ///< distance between the planes [words], >= size
  std::size_t size = 0;    ///< keys in the batch
  int width = 0;           ///< planes, that is words per key

  /// Word `i` of every key. Precondition: 0 <= i < width.
  [[nodiscard]] std::span<const std::uint64_t> word(int i) const noexcept {
    return {words + static_cast<std::size_t>(i) * stride, size};
  }

  /// The batch of keys `first` .. `first + count - 1`. Precondition: first + count <= size.
  [[nodiscard]] DigestBatch slice(std::size_t first, std::size_t count) const noexcept {
    return {words + first, stride, count, width};
  }
};

}  // namespace bloomlab
