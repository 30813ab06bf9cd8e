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
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/answer.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/lanes-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

/// The groups of a batch between the hashing of their keys and the use of their blocks: digests and
/// where the blocks begin. The last group is filled up with digests that are zero.
class Groups {
 public:
  explicit Groups(const DigestStream& digests)
      : stream_(digests), made_(digests.made()), full_(digests.size() / group_keys) {}

  [[nodiscard]] std::size_t size() const { return (stream_.size() + group_keys - 1) / group_keys; }
  /// Groups of which no key is filling.
  [[nodiscard]] std::size_t full() const { return full_; }

  /// The digests of the next group: 0, 1, 2, ... in this order, once each. What a group has is kept
  /// until `kept` - `hashed_at_once` others came after it.
  HWY_INLINE const std::uint64_t* hash(std::size_t group) {
    if (made_ != nullptr ? group == full_ : group % hashed_at_once == 0) hash_from(group);
    return digests(group);
  }
  HWY_INLINE const std::uint64_t* digests(std::size_t group) const {
    const bool stands = made_ != nullptr && group < full_;
    return stands ? made_ + group * group_keys : digests_.data() + place(group);
  }
  HWY_INLINE std::uint64_t* begins(std::size_t group) { return begins_.data() + place(group); }

 private:
  // Few enough that a processor still sees the lines that were asked for before; many enough that
  // the call of the hash counts for little.
  static constexpr std::size_t hashed_at_once = 4;
  static constexpr std::size_t kept = 2 * max_lookahead / group_keys;
  static_assert(kept % hashed_at_once == 0);
  using Ring = std::array<std::uint64_t, kept * group_keys>;

  static std::size_t place(std::size_t group) { return group % kept * group_keys; }

  void hash_from(std::size_t group) {
    const std::size_t first = group * group_keys;
    const std::size_t count = std::min(hashed_at_once * group_keys, stream_.size() - first);
    std::uint64_t* const out = digests_.data() + place(group);
    stream_.write(first, count, out);
    std::fill_n(out + count, (group_keys - count % group_keys) % group_keys, 0U);
  }

  DigestStream stream_;
  const std::uint64_t* made_;  // digests that need no copy, or nothing
  std::size_t full_;
  HWY_ALIGN Ring digests_;
  HWY_ALIGN Ring begins_;
};

/// A hint that asks for nothing.
struct NoHint {
  HWY_INLINE void operator()(std::size_t /*lane*/) const {}
};

/// Asks for the blocks that begin there. A type and no lambda: a function that only asks for memory
/// must be inlined, or compilers take it for one without an effect.
template <bool Writes>
struct BlockHint {
  const std::uint64_t* filter;
  const std::uint64_t* begins;

  HWY_INLINE void operator()(std::size_t lane) const {
    if constexpr (Writes) {
      __builtin_prefetch(filter + begins[lane], 1, 3);
    } else {
      __builtin_prefetch(filter + begins[lane], 0, 2);
    }
  }
};

/// Calls `use(group, hint)` for every group: its first key, where the blocks of its keys begin, and
/// how many keys it has, which is a constant for all groups but the last. hint(lane), which `use`
/// calls once a lane, asks for a block that comes later: one hint between two tests keeps as many
/// lines on their way, and the processor's buffers from filling up.
template <bool Writes, class Kernel, class Use>
HWY_INLINE void for_each_group(Kernel& kernel, const BlockBatch& batch, const std::uint64_t* filter,
                               Use use) {
  Groups groups(batch.digests);
  const std::size_t ahead = std::min(batch.lookahead, max_lookahead) / group_keys;
  const auto locate = [&](std::size_t group)
                          HWY_ATTR { kernel.locate(groups.hash(group), groups.begins(group)); };
  constexpr std::integral_constant<std::size_t, group_keys> all_lanes;
  const std::size_t early = std::min(ahead, groups.size());
  for (std::size_t group = 0; group < early; ++group) {
    locate(group);
    for_each_lane(group_keys, BlockHint<Writes>{filter, groups.begins(group)});
  }
  std::size_t group = 0;
  if (early != 0) {
    // The last group, which alone may have fewer keys, never comes here.
    for (; group + early < groups.size(); ++group) {
      locate(group + early);
      kernel.prepare(groups.digests(group));
      use(group * group_keys, groups.begins(group), all_lanes,
          BlockHint<Writes>{filter, groups.begins(group + early)});
    }
  }
  for (; group < groups.size(); ++group) {
    if (early == 0) locate(group);
    kernel.prepare(groups.digests(group));
    const std::size_t first = group * group_keys;
    if (group < groups.full()) {
      use(first, groups.begins(group), all_lanes, NoHint());
    } else {
      use(first, groups.begins(group), batch.digests.size() - first, NoHint());
    }
  }
}

/// A kernel that tests all keys of a group at once: bit number `lane` says whether that one has all
/// its bits.
template <class Kernel>
concept TestsGroups = requires(const Kernel& kernel, const std::uint64_t* words) {
  { kernel.test_group(words, words) } -> std::same_as<unsigned>;
};

/// How many keys of a group are found.
template <class Kernel, class Count, class Hint>
HWY_INLINE std::uint64_t count_group(const Kernel& kernel, const std::uint64_t* filter,
                                     const std::uint64_t* begins, Count count, Hint hint) {
  if constexpr (TestsGroups<Kernel>) {
    for_each_lane(std::integral_constant<std::size_t, group_keys>(), hint);
    const unsigned found = kernel.test_group(filter, begins) & ((1U << count) - 1U);
    return static_cast<std::uint64_t>(std::popcount(found));
  } else {
    std::uint64_t found = 0;
    for_each_lane(
        count, [&](std::size_t lane) HWY_ATTR __attribute__((always_inline)) {
          hint(lane);
          found += kernel.test(filter + begins[lane], lane) ? 1 : 0;
        });
    return found;
  }
}

/// The answers for a group, a byte each.
template <class Kernel, class Count, class Hint>
HWY_INLINE std::uint64_t test_group(const Kernel& kernel, const std::uint64_t* filter,
                                    const std::uint64_t* begins, Count count, Hint hint) {
  std::uint64_t bytes = 0;
  for_each_lane(
      count, [&](std::size_t lane) HWY_ATTR __attribute__((always_inline)) {
        hint(lane);
        bytes |= std::uint64_t{kernel.test(filter + begins[lane], lane)} << (8 * lane);
      });
  return bytes;
}

/// find() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
HWY_INLINE std::uint64_t find_blocks(Kernel& kernel, const BlockBatch& batch,
                                     std::span<const std::uint64_t> filter, std::span<Answer> out) {
  const std::uint64_t* const words = filter.data();
  std::uint64_t found = 0;
  const auto counted = [&, words ](std::size_t, const std::uint64_t* begins, auto count, auto hint)
      HWY_ATTR __attribute__((always_inline)) {
    found += count_group(kernel, words, begins, count, hint);
  };
  const auto told = [&, words ](std::size_t first, const std::uint64_t* begins, auto count,
                                auto hint) HWY_ATTR __attribute__((always_inline)) {
    std::uint64_t bytes = test_group(kernel, words, begins, count, hint);
    found += (bytes * 0x0101010101010101U) >> 56;
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    std::memcpy(out.data() + first, &bytes, count);
  };
  if (out.empty()) {
    for_each_group<false>(kernel, batch, words, counted);
  } else {
    for_each_group<false>(kernel, batch, words, told);
  }
  return found;
}

/// insert() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
HWY_INLINE void insert_blocks(Kernel& kernel, const BlockBatch& batch,
                              std::span<std::uint64_t> filter, std::span<Answer> before) {
  std::uint64_t* const words = filter.data();
  const auto silent = [&, words ](std::size_t, const std::uint64_t* begins, auto count, auto hint)
      HWY_ATTR __attribute__((always_inline)) {
    // All hints first: between stores that wait for each other they cost more than they save.
    for_each_lane(std::integral_constant<std::size_t, group_keys>(), hint);
    for_each_lane(
        count, [&, words ](std::size_t lane) HWY_ATTR
        __attribute__((always_inline)) { kernel.set(words + begins[lane], lane); });
  };
  const auto telling = [&, words ](std::size_t first, const std::uint64_t* begins, auto count,
                                   auto hint) HWY_ATTR __attribute__((always_inline)) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      std::uint64_t* const block = words + begins[lane];
      hint(lane);
      before[first + lane] = static_cast<Answer>(kernel.test(block, lane));
      kernel.set(block, lane);
    }
  };
  if (before.empty()) {
    for_each_group<true>(kernel, batch, words, silent);
  } else {
    for_each_group<true>(kernel, batch, words, telling);
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
