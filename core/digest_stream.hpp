// Digests that are made when they are asked for, so that a processor hashes the next keys while it
// waits for the memory of the ones before.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab {

/// The digests of a row of keys, one word each. What makes them is asked for a few at a time, so
/// that no hash and filter have to be compiled together. A view: cheap to copy, owns nothing.
class DigestStream {
 public:
  /// Writes the digests `first` .. `first + count - 1` of what `source` points to.
  using Write = void (*)(const void* source, std::size_t first, std::size_t count,
                         std::uint64_t* out);

  /// `size` digests, which `make` makes from `source`; that must outlive the stream.
  DigestStream(std::size_t size, const void* source, Write make) noexcept
      : size_(size), source_(source), write_(make) {}
  /// Digests that stand in memory, which must outlive the stream.
  DigestStream(std::span<const std::uint64_t> digests) noexcept  // NOLINT: a span is one already
      : size_(digests.size()), source_(digests.data()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The digests, where they stand in memory, else nothing.
  [[nodiscard]] const std::uint64_t* made() const noexcept {
    return write_ == nullptr ? static_cast<const std::uint64_t*>(source_) : nullptr;
  }

  /// Writes the digests `first` .. `first + count - 1`. Precondition: first + count <= size().
  void write(std::size_t first, std::size_t count, std::uint64_t* out) const {
    assert(first + count <= size_);
    if (write_ == nullptr) {
      std::copy_n(made() + first, count, out);
    } else {
      write_(source_, first, count, out);
    }
  }

 private:
  std::size_t size_;
  const void* source_;
  Write write_ = nullptr;  // or nothing: they are made
};

}  // namespace bloomlab
