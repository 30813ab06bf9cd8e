// A stream of keys in which some come again: what a crawler meets. It is made from counters, some
// keys at a time, so that its keys never stand in memory together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {

/// What a stream is made of.
struct StreamPlan {
  std::uint64_t distinct = 0;  ///< distinct keys, >= 1
  std::uint64_t length = 0;    ///< keys in all, >= distinct
  KeyLength key_length{};
  std::uint64_t seed = 0;  ///< equal seeds give equal streams everywhere
};

/// Keys of a stream with so many distinct keys that `repeated` of its length come again, to the
/// nearest key. @param repeated in [0, 1)
[[nodiscard]] std::uint64_t stream_length(std::uint64_t distinct, double repeated) noexcept;

/// The stream, part by part. Exactly `distinct` of its keys are new: each place is drawn to hold a
/// new key with the chance that makes all choices of places alike (selection sampling: Fan, Muller,
/// Rezucha 1962, "Development of sampling plans by using sequential (item by item) selection
/// techniques and digital computers"), but for the first, which is always new. All other keys are
/// drawn from all those before, each of the distinct ones alike. The i-th new key is the image of i
/// under the seed's permutation.
class KeyStream {
 public:
  explicit KeyStream(const StreamPlan& plan);

  /// Back to the first key.
  void restart() noexcept;
  /// Takes the next keys, at most `count`; what was taken before is gone.
  void take(std::size_t count);

  /// The keys that were taken last.
  [[nodiscard]] KeyBatch batch() const& noexcept { return keys_.batch(); }
  void batch() const&& = delete;
  /// For each of them, 1 if it is new, 0 if it came before.
  [[nodiscard]] std::span<const std::uint8_t> is_new() const& noexcept { return is_new_; }
  void is_new() const&& = delete;

 private:
  StreamPlan plan_;
  KeyedPermutation permutation_;
  Draws draws_;
  std::uint64_t given_ = 0;  ///< keys of the stream so far
  std::uint64_t seen_ = 0;   ///< new ones among them
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint8_t> is_new_;
  TimedKeys keys_;
};

}  // namespace bloomlab::experiments
