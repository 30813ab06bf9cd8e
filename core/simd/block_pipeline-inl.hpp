// The loop of the block filters' kernels: the block of a key is asked for some keys ahead of its
// use, so that many cache lines are under way at once. For kernels only: compiled once for every
// target.
//
// A kernel says of some groups of keys where their blocks begin (`locate`), makes what it needs of
// the digests of a group (`prepare`), and then tests or sets the bits of one of them.

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
#include "core/simd/batch_tuning.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/lanes-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

// All of a lookup is one function. Not so under sanitizers, which check each access: compiling it
// would take many minutes and gigabytes.
#undef BLOOMLAB_KERNEL_PART
#ifdef BLOOMLAB_SANITIZED
#define BLOOMLAB_KERNEL_PART HWY_NOINLINE
#else
#define BLOOMLAB_KERNEL_PART HWY_INLINE
#endif

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// The first words of the blocks that multiply-shift gives the digests of `groups` groups, for
/// fewer than 2^32 blocks of `words` words.
HWY_INLINE void locate_narrow(const std::uint64_t* digests, std::size_t groups,
                              std::uint64_t blocks, std::uint64_t words, std::uint64_t* begins) {
  const hn::CappedTag<std::uint64_t, group_keys> d;
  for (std::size_t i = 0; i < groups * group_keys; i += hn::Lanes(d)) {
    const auto block = multiply_high_by_32(d, hn::LoadU(d, digests + i), hn::Set(d, blocks));
    hn::StoreU(multiply_low_halves(d, block, hn::Set(d, words)), d, begins + i);
  }
}

/// The same by the upper halves of the digests, for blocks of 2^WordsShift words.
template <int WordsShift>
HWY_INLINE void locate_halves(const std::uint64_t* digests, std::size_t groups,
                              std::uint64_t blocks, std::uint64_t* begins) {
  const hn::CappedTag<std::uint64_t, group_keys> d;
  for (std::size_t i = 0; i < groups * group_keys; i += hn::Lanes(d)) {
    const auto upper = hn::ShiftRight<32>(hn::LoadU(d, digests + i));
    const auto block = hn::ShiftRight<32>(multiply_low_halves(d, upper, hn::Set(d, blocks)));
    hn::StoreU(hn::ShiftLeft<WordsShift>(block), d, begins + i);
  }
}
#endif

/// The groups of a batch between the hashing of their keys and the use of their blocks: digests and
/// where the blocks begin. The last group is filled up with digests that are zero.
class Groups {
 public:
  /// Groups that are hashed and located at once: many enough that calling the hash counts for
  /// little, few enough that the lines that were asked for before keep the memory busy meanwhile.
  static constexpr std::size_t at_once = 16;

  explicit Groups(const DigestStream& digests)
      : stream_(digests), made_(digests.made()), full_(digests.size() / group_keys) {}

  [[nodiscard]] std::size_t size() const { return (stream_.size() + group_keys - 1) / group_keys; }
  /// Groups of which no key is filling.
  [[nodiscard]] std::size_t full() const { return full_; }

  /// Hashes and locates the groups before `end`, and at most `at_once` more. What a group has is
  /// kept until `kept` - `at_once` others came after it.
  template <class Kernel>
  HWY_INLINE void fill_until(std::size_t end, const Kernel& kernel) {
    end = std::min(end, size());
    while (filled_ < end) fill(kernel);
  }
  /// The digests of a group and of those after it that were filled in together with it.
  HWY_INLINE const std::uint64_t* digests(std::size_t group) const {
    const bool stands = made_ != nullptr && group < full_ / at_once * at_once;
    return stands ? made_ + group * group_keys : digests_.data() + place(group);
  }
  HWY_INLINE const std::uint64_t* begins(std::size_t group) const {
    return begins_.data() + place(group);
  }

 private:
  static constexpr std::size_t kept = 2 * max_lookahead / group_keys;
  static_assert(kept % at_once == 0 && kept >= max_lookahead / group_keys + 2 * at_once);
  using Ring = std::array<std::uint64_t, kept * group_keys>;

  static std::size_t place(std::size_t group) { return group % kept * group_keys; }

  template <class Kernel>
  HWY_INLINE void fill(const Kernel& kernel) {
    constexpr std::size_t keys = at_once * group_keys;
    std::uint64_t* const begins = begins_.data() + place(filled_);
    if (filled_ + at_once > full_) {
      fill_last(kernel, begins);
    } else if (made_ != nullptr) {
      kernel.locate(made_ + filled_ * group_keys, at_once, begins);
    } else {
      std::uint64_t* const digests = digests_.data() + place(filled_);
      stream_.write(filled_ * group_keys, keys, digests);
      kernel.locate(digests, at_once, begins);
    }
    filled_ += at_once;
  }
  /// The groups that are left, of which the last may have fewer keys.
  template <class Kernel>
  HWY_NOINLINE void fill_last(const Kernel& kernel, std::uint64_t* begins) {
    const std::size_t keys = stream_.size() - filled_ * group_keys;
    const std::size_t groups = (keys + group_keys - 1) / group_keys;
    std::uint64_t* const digests = digests_.data() + place(filled_);
    stream_.write(filled_ * group_keys, keys, digests);
    std::fill_n(digests + keys, groups * group_keys - keys, 0U);
    kernel.locate(digests, groups, begins);
  }

  DigestStream stream_;
  const std::uint64_t* made_;  // digests that need no copy, or nothing
  std::size_t full_;
  std::size_t filled_ = 0;
  HWY_ALIGN Ring digests_;
  HWY_ALIGN Ring begins_;
};

/// A hint that asks for nothing.
struct NoHint {
  HWY_INLINE void operator()(std::size_t /*lane*/) const {}
};

/// Groups between a second hint, into the nearest cache, and the use of a block: what a kernel
/// says that takes whole cache lines into a register, as those come slowly from the second cache;
/// 0 for others, which gain nothing by it. Without a first hint there is no second one.
template <class Kernel>
inline constexpr std::size_t nearest_ahead = [] {
  if constexpr (requires { Kernel::nearest_ahead; }) {
    return Kernel::nearest_ahead;
  } else {
    return std::size_t{0};
  }
}();

/// Groups at the end of every part of `Groups::at_once` whose hints are held back and given all at
/// once after it, where hints run a whole part ahead as behind the caches: so memory is busy while
/// the next part is hashed.
inline constexpr std::size_t held_back = 4;

/// Whether a kernel gains by hints into the nearest cache where few keys are asked for ahead, as in
/// a shared cache. For 128 keys a Zen 4 took twice the time by them (docs/bench.md).
template <class Kernel>
inline constexpr bool few_go_nearest = requires {
  Kernel::few_go_nearest;
};

/// Caches that a hint asks memory into, as __builtin_prefetch() counts them.
enum Cache { second_cache = 2, nearest_cache = 3 };

/// Asks for the blocks that begin there, to be read or written. A type and no lambda: a function
/// that only asks for memory must be inlined, or compilers take it for one without an effect.
template <Cache Into>
struct BlockHint {
  const std::uint64_t* filter;
  const std::uint64_t* begins;

  HWY_INLINE void operator()(std::size_t lane) const {
    __builtin_prefetch(filter + begins[lane], 0, Into);
  }
};

/// The hint for blocks that come later, and the second one for some that were asked for before, or
/// the first alone.
template <Cache Into, bool Nearer>
struct BlockHints {
  BlockHint<Into> first;
  BlockHint<nearest_cache> second;

  HWY_INLINE void operator()(std::size_t lane) const {
    first(lane);
    if constexpr (Nearer) second(lane);
  }
};

/// for_each_group() with hints into that cache.
template <Cache Into, class Kernel, class Use>
HWY_INLINE void for_each_group_by(Kernel& kernel, const BlockBatch& batch,
                                  const std::uint64_t* filter, Use use) {
  Groups groups(batch.digests);
  const std::size_t size = groups.size();
  const std::size_t ahead = std::min(std::min(batch.lookahead, max_lookahead) / group_keys, size);
  const std::size_t nearer = std::min(nearest_ahead<Kernel>, ahead);
  const std::size_t holding = ahead < Groups::at_once ? 0 : held_back;
  constexpr std::integral_constant<std::size_t, group_keys> all_lanes;
  groups.fill_until(ahead, kernel);
  for (std::size_t group = 0; group < ahead; ++group) {
    for_each_lane(group_keys, BlockHint<Into>{filter, groups.begins(group)});
  }
  // The last group, which alone may have fewer keys, is not among those that have one to ask for.
  const std::size_t asking = ahead == 0 ? 0 : size - ahead;
  for (std::size_t group = 0; group < size;) {
    const std::size_t end = std::min(group + Groups::at_once, size);
    groups.fill_until(end + ahead, kernel);
    const std::uint64_t* digests = groups.digests(group);
    const std::uint64_t* begins = groups.begins(group);
    const auto next = [&]() HWY_ATTR {
      ++group;
      digests += group_keys;
      begins += group_keys;
    };
    const std::size_t last_asking = std::min(end, std::max(group, asking));
    const std::size_t first_held = last_asking - std::min(holding, last_asking - group);
    while (group < first_held) {
      kernel.prepare(digests);
      const BlockHints<Into, nearest_ahead<Kernel> != 0> hints{
          {filter, groups.begins(group + ahead)}, {filter, groups.begins(group + nearer)}};
      use(group * group_keys, begins, all_lanes, hints);
      next();
    }
    const std::size_t last_full = std::min(end, groups.full());
    if constexpr (nearest_ahead<Kernel> != 0) {
      while (nearer != 0 && group < last_full) {
        kernel.prepare(digests);
        const std::size_t near = std::min(group + nearer, size - 1);
        use(group * group_keys, begins, all_lanes,
            BlockHint<nearest_cache>{filter, groups.begins(near)});
        next();
      }
    }
    while (group < last_full) {
      kernel.prepare(digests);
      use(group * group_keys, begins, all_lanes, NoHint());
      next();
    }
    for (std::size_t held = first_held; held < last_asking; ++held) {
      for_each_lane(group_keys, BlockHint<Into>{filter, groups.begins(held + ahead)});
    }
    if (group < end) {
      kernel.prepare(digests);
      const std::size_t first = group * group_keys;
      use(first, begins, batch.digests.size() - first, NoHint());
      ++group;
    }
  }
}

/// Calls `use(first, begins, count, hint)` for every group: its first key, where the blocks of its
/// keys begin, and how many keys it has, which is a constant for all groups but the last.
/// hint(lane), which `use` calls once a lane, asks for a block that comes later: one hint between
/// two tests keeps as many lines on their way, and the processor's buffers from filling up.
template <class Kernel, class Use>
HWY_INLINE void for_each_group(Kernel& kernel, const BlockBatch& batch, const std::uint64_t* filter,
                               Use use) {
  if constexpr (few_go_nearest<Kernel>) {
    const bool few = batch.lookahead < Groups::at_once * group_keys;
    if (few && batch.lookahead != 0) {
      for_each_group_by<nearest_cache>(kernel, batch, filter, use);
      return;
    }
  }
  for_each_group_by<second_cache>(kernel, batch, filter, use);
}

/// A kernel that tests all keys of a group at once: bit number `lane` says whether that one has all
/// its bits. It calls the hint once a lane.
template <class Kernel>
concept TestsGroups = requires(const Kernel& kernel, const std::uint64_t* words) {
  { kernel.test_group(words, words, NoHint()) } -> std::same_as<unsigned>;
};

/// A kernel that does so and leaves the answers as bytes: byte number `lane` is 1 or 0.
template <class Kernel>
concept AnswersGroups = requires(const Kernel& kernel, const std::uint64_t* words) {
  { kernel.answer_group(words, words, NoHint()) } -> std::same_as<std::uint64_t>;
};

inline constexpr std::uint64_t one_in_each_byte = 0x0101010101010101U;

/// The sum of bytes that are 0 or 1.
HWY_INLINE std::uint64_t sum_of_bytes(std::uint64_t bytes) {
  return (bytes * one_in_each_byte) >> 56;
}

/// The answers of a kernel that AnswersGroups, for the first `count` keys, 1 to 8.
template <class Kernel, class Hint>
HWY_INLINE std::uint64_t first_answers(const Kernel& kernel, const std::uint64_t* filter,
                                       const std::uint64_t* begins, std::size_t count, Hint hint) {
  return kernel.answer_group(filter, begins, hint) & (~std::uint64_t{0} >> (64 - 8 * count));
}

/// How many keys of a group are found.
template <class Kernel, class Count, class Hint>
BLOOMLAB_KERNEL_PART std::uint64_t count_group(const Kernel& kernel, const std::uint64_t* filter,
                                               const std::uint64_t* begins, Count count,
                                               Hint hint) {
  if constexpr (AnswersGroups<Kernel>) {
    return sum_of_bytes(first_answers(kernel, filter, begins, count, hint));
  } else if constexpr (TestsGroups<Kernel>) {
    const unsigned found = kernel.test_group(filter, begins, hint) & ((1U << count) - 1U);
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
BLOOMLAB_KERNEL_PART std::uint64_t test_group(const Kernel& kernel, const std::uint64_t* filter,
                                              const std::uint64_t* begins, Count count, Hint hint) {
  if constexpr (AnswersGroups<Kernel>) {
    return first_answers(kernel, filter, begins, count, hint);
  } else {
    std::uint64_t bytes = 0;
    for_each_lane(
        count, [&](std::size_t lane) HWY_ATTR __attribute__((always_inline)) {
          hint(lane);
          bytes |= std::uint64_t{kernel.test(filter + begins[lane], lane)} << (8 * lane);
        });
    return bytes;
  }
}

/// find() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
BLOOMLAB_KERNEL_PART std::uint64_t find_blocks(Kernel& kernel, const BlockBatch& batch,
                                               std::span<const std::uint64_t> filter,
                                               std::span<Answer> out) {
  const std::uint64_t* const words = filter.data();
  std::uint64_t found = 0;
  const auto counted = [&, words ](std::size_t, const std::uint64_t* begins, auto count, auto hint)
      HWY_ATTR __attribute__((always_inline)) {
    found += count_group(kernel, words, begins, count, hint);
  };
  const auto told = [&, words ](std::size_t first, const std::uint64_t* begins, auto count,
                                auto hint) HWY_ATTR __attribute__((always_inline)) {
    std::uint64_t bytes = test_group(kernel, words, begins, count, hint);
    found += sum_of_bytes(bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    std::memcpy(out.data() + first, &bytes, count);
  };
  if (out.empty()) {
    for_each_group(kernel, batch, words, counted);
  } else {
    for_each_group(kernel, batch, words, told);
  }
  return found;
}

/// insert() of a kernel (core/simd/block_kernels.hpp).
template <class Kernel>
BLOOMLAB_KERNEL_PART void insert_blocks(Kernel& kernel, const BlockBatch& batch,
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
    for_each_group(kernel, batch, words, silent);
  } else {
    for_each_group(kernel, batch, words, telling);
  }
}

/// The kernel of any layout, key by key: for targets without vectors.
template <class Layout>
class ReferenceKernel {
 public:
  explicit ReferenceKernel(const Layout& layout) : layout_(layout) {}

  void locate(const std::uint64_t* digests, std::size_t groups, std::uint64_t* begins) const {
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = layout_.first_word(digests[i]);
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
