// A batch of keys, as the hash stage reads them: integers of a fixed width, or texts.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomlab {

/// A view of a batch of keys. Integer keys are hashed as `bytes` little-endian bytes, texts as the
/// bytes they are. Owns nothing.
class KeyBatch {
 public:
  KeyBatch() = default;

  /// Integer keys; the low `bytes` bytes of each value are the key. Precondition: bytes is 4 or 8.
  static KeyBatch integers(std::span<const std::uint64_t> values, int bytes) noexcept {
    assert(bytes == 4 || bytes == 8);
    KeyBatch batch;
    batch.values_ = values;
    batch.bytes_ = bytes;
    return batch;
  }

  /// Text keys; the views must outlive the batch.
  static KeyBatch texts(std::span<const std::string_view> texts) noexcept {
    KeyBatch batch;
    batch.texts_ = texts;
    return batch;
  }

  [[nodiscard]] bool holds_integers() const noexcept { return bytes_ != 0; }
  [[nodiscard]] std::size_t size() const noexcept {
    return holds_integers() ? values_.size() : texts_.size();
  }
  /// Memory of the batch: of its integers, or of the views of its texts without their bytes
  /// [bytes].
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return values_.size_bytes() + texts_.size_bytes();
  }
  /// Width of an integer key [bytes]; 0 for texts.
  [[nodiscard]] int integer_bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::span<const std::uint64_t> values() const noexcept { return values_; }
  [[nodiscard]] std::span<const std::string_view> texts() const noexcept { return texts_; }

  /// Keys `first` .. `first + count - 1`. Precondition: first + count <= size().
  [[nodiscard]] KeyBatch slice(std::size_t first, std::size_t count) const noexcept {
    return holds_integers() ? integers(values_.subspan(first, count), bytes_)
                            : texts(texts_.subspan(first, count));
  }

 private:
  std::span<const std::uint64_t> values_;
  std::span<const std::string_view> texts_;
  int bytes_ = 0;
};

}  // namespace bloomlab
