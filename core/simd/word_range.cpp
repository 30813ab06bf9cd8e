#include "core/simd/word_range.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/word_range.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cassert>

#include "core/simd/packing-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

std::size_t keep_each(std::span<const std::uint64_t> words, std::uint64_t first, std::uint64_t last,
                      std::uint64_t* out) {
  const std::uint64_t* const in = words.data();
  const std::size_t size = words.size();
  std::size_t kept = 0;
  std::size_t j = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::ScalableTag<std::uint64_t> d;
  const auto begin = hn::Set(d, first);
  const auto range = hn::Set(d, last - first);
  for (; j + hn::Lanes(d) <= size; j += hn::Lanes(d)) {
    const auto word = hn::LoadU(d, in + j);
    kept += store_packed(d, word, hn::Not(hn::Gt(hn::Sub(word, begin), range)), out + kept);
  }
#endif
  for (; j < size; ++j) {
    // Written always and counted only where it holds: no branch that nobody can predict.
    const std::uint64_t word = in[j];
    out[kept] = word;
    kept += word - first <= last - first ? 1 : 0;
  }
  return kept;
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(keep_each);

std::size_t keep_range(std::span<const std::uint64_t> words, std::uint64_t first,
                       std::uint64_t last, std::uint64_t* out) {
  assert(first <= last);
  return HWY_DYNAMIC_DISPATCH(keep_each)(words, first, last, out);
}

}  // namespace bloomlab::simd
#endif
