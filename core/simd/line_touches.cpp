// The loops that touch lines: the pipeline of the filters of blocks with nothing in it.

#include "core/simd/line_touches.hpp"

#include <atomic>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/line_touches.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/block_pipeline-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

class TouchKernel {
 public:
  explicit TouchKernel(const LineTouches& touches) : lines_(touches.lines) {}

  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    if (lines_ >> 32 == 0) return locate_halves<3>(digests, groups, lines_, begins);
#endif
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = LineTouches{lines_}.first_word(digests[i]);
    }
  }
  HWY_INLINE void prepare(const std::uint64_t* /*digests*/) const {}
  HWY_INLINE bool test(const std::uint64_t* line, std::size_t /*lane*/) const {
    return (*line & 1) != 0;
  }
  HWY_INLINE void set(std::uint64_t* line, std::size_t /*lane*/) const {
    // A load and a store, as filters of blocks have them; atomic, each for itself, as several
    // threads may write to one line, of which none counts.
    const std::atomic_ref<std::uint64_t> word(*line);
    word.store(word.load(std::memory_order_relaxed) + 2, std::memory_order_relaxed);
  }

 private:
  std::uint64_t lines_;
};

std::uint64_t read_touches(const LineTouches& touches, const BlockBatch& batch,
                           std::span<const std::uint64_t> memory) {
  TouchKernel kernel(touches);
  return find_blocks(kernel, batch, memory, {});
}

void write_touches(const LineTouches& touches, const BlockBatch& batch,
                   std::span<std::uint64_t> memory) {
  TouchKernel kernel(touches);
  insert_blocks(kernel, batch, memory, {});
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(read_touches);
HWY_EXPORT(write_touches);

std::uint64_t read_lines(const LineTouches& touches, const BlockBatch& batch,
                         std::span<const std::uint64_t> memory) {
  return HWY_DYNAMIC_DISPATCH(read_touches)(touches, batch, memory);
}

void write_lines(const LineTouches& touches, const BlockBatch& batch,
                 std::span<std::uint64_t> memory) {
  HWY_DYNAMIC_DISPATCH(write_touches)(touches, batch, memory);
}

}  // namespace bloomlab::simd
#endif
