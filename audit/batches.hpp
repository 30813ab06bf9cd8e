// Keys of an audit: numbers that count on, permuted by a seed, so that inserted and absent keys are
// disjoint; and how a filter is fed with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::audit {

/// Keys per batch, where nothing else is said.
inline constexpr std::size_t batch_keys = 8192;
/// Number of the first absent key.
inline constexpr std::uint64_t first_absent = std::uint64_t{1} << 48;

/// Random 64-bit integers, the images of numbers under a permutation.
class RandomKeys {
 public:
  explicit RandomKeys(std::uint64_t seed) : permutation_(seed) {}

  /// Calls `use` with keys `first` .. `first + count - 1`, a batch at a time.
  template <class Use>
  void for_each_batch(std::uint64_t first, std::uint64_t count, Use use,
                      std::size_t at_once = batch_keys) {
    for (std::uint64_t done = 0; done < count;) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, count - done));
      keys_.resize(part);
      permutation_.apply_range(first + done, keys_);
      use(KeyBatch::integers(keys_, 8));
      done += part;
    }
  }

  /// @return whether room was found for all
  bool insert(foreign::ForeignFilter& filter, std::uint64_t first, std::uint64_t count,
              std::size_t at_once = batch_keys) {
    bool fits = true;
    for_each_batch(
        first, count, [&](const KeyBatch& batch) { fits = filter.insert(batch) && fits; }, at_once);
    return fits;
  }

  [[nodiscard]] std::uint64_t count(foreign::ForeignFilter& filter, std::uint64_t first,
                                    std::uint64_t count) {
    std::uint64_t reported = 0;
    for_each_batch(first, count,
                   [&](const KeyBatch& batch) { reported += filter.count_contained(batch); });
    return reported;
  }

  [[nodiscard]] std::vector<Answer> answers(foreign::ForeignFilter& filter, std::uint64_t first,
                                            std::uint64_t count) {
    std::vector<Answer> answers(static_cast<std::size_t>(count));
    std::size_t done = 0;
    for_each_batch(first, count, [&](const KeyBatch& batch) {
      filter.query(batch, std::span(answers).subspan(done, batch.size()));
      done += batch.size();
    });
    return answers;
  }

 private:
  KeyedPermutation permutation_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace bloomlab::audit
