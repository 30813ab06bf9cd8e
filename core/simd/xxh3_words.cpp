#include "core/simd/xxh3_words.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/xxh3_words.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>

#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Xxh3Word of all lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V xxh3(D d, V ends, V flip, V bytes) {
  const V multiplier = hn::Set(d, Xxh3Word::multiplier);
  const V word = hn::Xor(hn::RotateRight<32>(ends), flip);
  const V spread = hn::Xor(word, hn::Xor(hn::RotateRight<15>(word), hn::RotateRight<40>(word)));
  const V inner = multiply_low(d, spread, multiplier);
  const V folded = hn::Add(hn::ShiftRight<35>(inner), bytes);
  const V outer = multiply_low(d, hn::Xor(inner, folded), multiplier);
  return hn::Xor(outer, hn::ShiftRight<28>(outer));
}
#endif

void hash_each_word(std::span<const std::uint64_t> keys, std::uint64_t bytes, const Xxh3Word& hash,
                    std::uint64_t* out) {
  const Xxh3Word copy = hash;
  // The last four bytes of four are the first ones too.
  const std::uint64_t again = bytes == 4 ? ~std::uint64_t{0} << 32 : 0;
  const std::uint64_t taken = ~again;
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::ScalableTag<std::uint64_t> d;
  // Two lanes take longer than the processor's own products of 64 bits.
  if (const std::size_t lanes = hn::Lanes(d); lanes > 2) {
    const auto flip = hn::Set(d, copy.flip);
    const auto length = hn::Set(d, bytes);
    const auto above = hn::Set(d, again);
    const auto below = hn::Set(d, taken);
    for (; j + lanes <= keys.size(); j += lanes) {
      const auto key = hn::LoadU(d, keys.data() + j);
      const auto ends = hn::Or(hn::And(key, below), hn::And(hn::ShiftLeft<32>(key), above));
      hn::StoreU(xxh3(d, ends, flip, length), d, out + j);
    }
  }
#endif
  for (; j < keys.size(); ++j) {
    out[j] = copy.of_length((keys[j] & taken) | (keys[j] << 32 & again), bytes);
  }
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(hash_each_word);

void hash_words(std::span<const std::uint64_t> keys, std::uint64_t bytes, const Xxh3Word& hash,
                std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(hash_each_word)(keys, bytes, hash, out);
}

}  // namespace bloomlab::simd
#endif
