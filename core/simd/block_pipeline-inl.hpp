// The loop of the block filters' kernels: the block of a key is asked for some keys ahead of its
// use, so that many cache lines are under way at once. For kernels only: compiled once for every
// target.
//
// A kernel says of a group of keys where their blocks begin (`locate`), makes what it needs of the
// digests of a group (`prepare`), and then tests or sets the bits of one of them.

#if defined(BLOOMLAB_SIMD_BLOCK_PIPELINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_BLOCK_PIPELINE_INL
#undef BLOOMLAB_SIMD_BLOCK_PIPELINE_INL
#else
#define BLOOMLAB_SIMD_BLOCK_PIPELINE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

/// The digests of a batch in groups; the last one is filled up with zeros.
class DigestGroups {
 public:
  explicit DigestGroups(std::span<const std::uint64_t> digests)
      : digests_(digests.data()), full_(digests.size() / group_keys) {
    const std::size_t rest = digests.size() % group_keys;
    std::copy_n(digests_ + full_ * group_keys, rest, last_.data());
    size_ = full_ + (rest != 0 ? 1 : 0);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Groups of which no key is filling.
  [[nodiscard]] std::size_t full() const { return full_; }
  HWY_INLINE const std::uint64_t* operator[](std::size_t group) const {
    return group < full_ ? digests_ + group * group_keys : last_.data();
  }

 private:
  const std::uint64_t* digests_;
  std::size_t full_;
  std::size_t size_;
  std::array<std::uint64_t, group_keys> last_ = {};
};

/// Calls `use(key, block, lane)` for every key: its number, its block, its place in the group that
/// the kernel has prepared.
template <bool Writes, class Kernel, class Use>
HWY_INLINE void for_each_block(Kernel& kernel, const BlockBatch& batch, std::uint64_t* filter,
                               Use use) {
  constexpr std::size_t ring_groups = 2 * max_lookahead / group_keys;
  HWY_ALIGN std::array<std::uint64_t, ring_groups * group_keys> ring;
  const DigestGroups groups(batch.digests);
  const auto begin_of = [&](std::size_t group)
                            HWY_ATTR { return ring.data() + group % ring_groups * group_keys; };
  const auto locate = [&](std::size_t group) HWY_ATTR {
    std::uint64_t* const begins = begin_of(group);
    kernel.locate(groups[group], begins);
    if (batch.lookahead == 0) return;
    for (std::size_t lane = 0; lane < group_keys; ++lane) {
      if constexpr (Writes) {
        __builtin_prefetch(filter + begins[lane], 1, 3);
      } else {
        __builtin_prefetch(filter + begins[lane], 0, 2);
      }
    }
  };
  const std::size_t ahead = std::min(batch.lookahead, max_lookahead) / group_keys;
  for (std::size_t group = 0; group < std::min(ahead, groups.size()); ++group) locate(group);
  for (std::size_t group = 0; group < groups.full(); ++group) {
    if (group + ahead < groups.size()) locate(group + ahead);
    kernel.prepare(groups[group]);
    const std::uint64_t* const begins = begin_of(group);
    for (std::size_t lane = 0; lane < group_keys; ++lane) {
      use(group * group_keys + lane, filter + begins[lane], lane);
    }
  }
  if (groups.full() == groups.size()) return;
  if (ahead == 0) locate(groups.full());
  kernel.prepare(groups[groups.full()]);
  for (std::size_t key = groups.full() * group_keys; key < batch.digests.size(); ++key) {
    const std::size_t lane = key % group_keys;
    use(key, filter + begin_of(groups.full())[lane], lane);
  }
}

/// find() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
HWY_INLINE std::uint64_t find_blocks(Kernel kernel, const BlockBatch& batch,
                                     std::span<const std::uint64_t> filter, std::span<Answer> out) {
  std::uint64_t found = 0;
  // Nothing is written through it: the loop is shared with inserts.
  auto* const words = const_cast<std::uint64_t*>(filter.data());
  if (out.empty()) {
    for_each_block<false>(kernel, batch, words,
                          [&](std::size_t, const std::uint64_t* block, std::size_t lane)
                              HWY_ATTR { found += kernel.test(block, lane) ? 1 : 0; });
  } else {
    for_each_block<false>(kernel, batch, words,
                          [&](std::size_t key, const std::uint64_t* block, std::size_t lane)
                              HWY_ATTR {
                                const bool all_set = kernel.test(block, lane);
                                out[key] = static_cast<Answer>(all_set);
                                found += all_set ? 1 : 0;
                              });
  }
  return found;
}

/// insert() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
HWY_INLINE void insert_blocks(Kernel kernel, const BlockBatch& batch,
                              std::span<std::uint64_t> filter, std::span<Answer> before) {
  if (before.empty()) {
    for_each_block<true>(kernel, batch, filter.data(),
                         [&](std::size_t, std::uint64_t* block, std::size_t lane)
                             HWY_ATTR { kernel.set(block, lane); });
  } else {
    for_each_block<true>(kernel, batch, filter.data(),
                         [&](std::size_t key, std::uint64_t* block, std::size_t lane) HWY_ATTR {
                           before[key] = static_cast<Answer>(kernel.test(block, lane));
                           kernel.set(block, lane);
                         });
  }
}

/// The kernel of any layout, key by key: for targets without vectors.
template <class Layout>
class ReferenceKernel {
 public:
  explicit ReferenceKernel(const Layout& layout) : layout_(layout) {}

  void locate(const std::uint64_t* digests, std::uint64_t* begins) const {
    for (std::size_t lane = 0; lane < group_keys; ++lane) {
      begins[lane] = layout_.first_word(digests[lane]);
    }
  }
  void prepare(const std::uint64_t* digests) {
    for (std::size_t lane = 0; lane < group_keys; ++lane) {
      targets_[lane] = layout_.target(digests[lane]);
    }
  }
  [[nodiscard]] bool test(const std::uint64_t* block, std::size_t lane) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < layout_.words(); ++i) {
      missing |= targets_[lane].mask[i] & ~block[i];
    }
    return missing == 0;
  }
  void set(std::uint64_t* block, std::size_t lane) const {
    for (std::size_t i = 0; i < layout_.words(); ++i) block[i] |= targets_[lane].mask[i];
  }

 private:
  Layout layout_;
  std::array<BlockTarget, group_keys> targets_;
};

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
