// Some keys of a chunk of digests, copied together, so that they are a batch again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filters/detail/pipelined_rounds.hpp"
#include "core/filters/detail/probe_rounds.hpp"

namespace bloomlab::detail {

/// A chunk of digests from which keys are dropped. At first it is the chunk itself; keys that are
/// left after a drop are copied into its own memory. Allocates nothing.
class DigestSelection {
 public:
  /// Keys of any chunk at most: those of one chunk of a lookup.
  static constexpr std::size_t max_keys = pipelined_keys;
  /// Keys of a chunk of digests of `width` words; 0 where there are no keys.
  [[nodiscard]] static constexpr std::size_t chunk_keys(int width) noexcept {
    return std::min(max_keys, max_words / static_cast<std::size_t>(std::max(width, 1)));
  }

  /// All keys of the chunk. Precondition: chunk.size <= chunk_keys(chunk.width); the chunk's memory
  /// outlives the selection.
  explicit DigestSelection(const DigestBatch& chunk) noexcept
      : chunk_(chunk), batch_(chunk), size_(chunk.size) {
    for (std::size_t j = 0; j < size_; ++j) keys_[j] = static_cast<std::uint16_t>(j);
  }

  /// The digests of the selected keys.
  [[nodiscard]] const DigestBatch& batch() const& noexcept { return batch_; }
  void batch() const&& = delete;
  /// Their indices within the chunk, ascending.
  [[nodiscard]] std::span<const std::uint16_t> keys() const& noexcept {
    return {keys_.data(), size_};
  }
  void keys() const&& = delete;

  /// Selects the keys of the chunk whose answer is `absent`. answers.size() == chunk.size.
  void keep_absent(std::span<const Answer> answers) noexcept {
    size_ = 0;
    for (std::size_t j = 0; j < chunk_.size; ++j) {
      keys_[size_] = static_cast<std::uint16_t>(j);
      size_ += answers[j] == Answer::absent ? 1 : 0;
    }
    batch_ = gather(chunk_, keys(), words_.data());
  }

 private:
  static constexpr std::size_t max_words = 2 * max_keys;
  static_assert(max_words >= 256, "one key of max_probes words must fit");

  DigestBatch chunk_;
  DigestBatch batch_;
  std::size_t size_;
  std::array<std::uint16_t, max_keys> keys_;
  std::array<std::uint64_t, max_words> words_;
};

}  // namespace bloomlab::detail
