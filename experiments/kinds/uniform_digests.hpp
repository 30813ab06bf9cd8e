// Keys of the source `uniform` as digests of xxhash3_64: what kinds that ask one filter something
// special fill it with. Keys have numbers, so that one can be deleted or come again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash/hasher.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/hash_stage.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/probe.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// The probe of these kinds: independent positions, the law of the closed forms.
[[nodiscard]] inline Probe ideal_probe() noexcept {
  return Probe::of<Independent, MultiplyShift>();
}

/// Key number i is the image of i under the permutation of the trial's seed. Distinct numbers are
/// distinct keys. One a thread.
class UniformDigests {
 public:
  /// @param seed the trial's seed   @param k probes per key, of ideal_probe()
  UniformDigests(std::uint64_t seed, std::uint64_t k)
      : permutation_(seed),
        hash_(Hasher::of<XxHash3_64>(), ideal_probe().need(static_cast<int>(k)), hash_seed(seed)),
        memory_(part_keys * static_cast<std::size_t>(hash_.need().words)) {}

  /// Calls `use(digests)` for parts of the keys `numbers`, in their order.
  template <class Use>
  void of(std::span<const std::uint64_t> numbers, Use&& use) {
    for (std::size_t first = 0; first < numbers.size(); first += part_keys) {
      const auto part = numbers.subspan(first, std::min(part_keys, numbers.size() - first));
      keys_.resize(part.size());
      std::transform(part.begin(), part.end(), keys_.begin(), permutation_);
      digest_part(use);
    }
  }

  /// The same for the keys `first` .. `first + count - 1`.
  template <class Use>
  void range(std::uint64_t first, std::uint64_t count, Use&& use) {
    for (std::uint64_t done = 0; done < count; done += part_keys) {
      keys_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(part_keys, count - done)));
      permutation_.apply_range(first + done, keys_);
      digest_part(use);
    }
  }

  /// How many of the keys `first` .. `first + count - 1` the filter reports.
  template <class Filter>
  [[nodiscard]] std::uint64_t count_contained(Filter& filter, std::uint64_t first,
                                              std::uint64_t count) {
    std::uint64_t contained = 0;
    range(first, count,
          [&](const DigestBatch& digests) { contained += filter.count_contained(digests); });
    return contained;
  }

 private:
  static constexpr std::size_t part_keys = 1024;

  template <class Use>
  void digest_part(Use& use) {
    hash_.for_each_part(KeyBatch::integers(keys_, 8), memory_,
                        [&](std::size_t, const DigestBatch& digests) { use(digests); });
  }

  KeyedPermutation permutation_;
  HashStage hash_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> memory_;  // of the digests of a part
};

}  // namespace bloomlab::experiments
