#include "core/simd/positions.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/positions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/positions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

void reduce_each(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  derive_positions<Steps::never>(words, {}, m, nullptr, positions);
}

void step_each(std::span<const std::uint64_t> words, const WordStep& step, std::uint64_t m,
               std::uint64_t* next, std::uint64_t* positions) {
  derive_positions<Steps::before>(words, step, m, next, positions);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(reduce_each);
HWY_EXPORT(step_each);

void reduce_words(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  HWY_DYNAMIC_DISPATCH(reduce_each)(words, m, positions);
}

void step_words(std::span<const std::uint64_t> words, const WordStep& step, std::uint64_t m,
                std::uint64_t* next, std::uint64_t* positions) {
  HWY_DYNAMIC_DISPATCH(step_each)(words, step, m, next, positions);
}

}  // namespace bloomlab::simd
#endif
