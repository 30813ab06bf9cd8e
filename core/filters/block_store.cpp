#include "core/filters/block_store.hpp"

#include <algorithm>
#include <cassert>

#include "core/filters/block_layouts.hpp"
#include "core/filters/fault.hpp"
#include "core/simd/block_kernels.hpp"

namespace bloomlab {

template <class Layout>
BlockStore<Layout>::BlockStore(const Layout& layout, std::string_view filter)
    : layout_(layout), filter_(filter), bits_(layout.bits()) {}

template <class Layout>
simd::BlockBatch BlockStore<Layout>::batch(const DigestBatch& digests) const noexcept {
  return {.digests = digests.word(0), .lookahead = tuning_.lookahead(bits_.memory_bits() / 8)};
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestBatch& digests) {
  if (digests.size == 0) return;
  simd::insert(layout_, batch(digests), bits_.writable_words(), {});
  inserted_ += digests.size;
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestBatch& digests, std::span<Answer> before) {
  assert(before.size() == digests.size);
  if (digests.size == 0) return;
  simd::insert(layout_, batch(digests), bits_.writable_words(), before);
  inserted_ += digests.size;
}

template <class Layout>
void BlockStore<Layout>::contains(const DigestBatch& digests, std::span<Answer> out) const {
  assert(out.size() == digests.size);
  if (digests.size == 0) return;
  static_cast<void>(simd::find(layout_, batch(digests), bits_.words(), out));
}

template <class Layout>
std::uint64_t BlockStore<Layout>::count_contained(const DigestBatch& digests) const {
  if (digests.size == 0) return 0;
  return simd::find(layout_, batch(digests), bits_.words(), {});
}

template <class Layout>
bool BlockStore<Layout>::unite(const BlockStore& other) {
  detail::require_mergeable(filter_, layout_ == other.layout_);
  inserted_ += other.inserted_;
  return bits_.unite(other.bits_);
}

template <class Layout>
bool BlockStore<Layout>::intersect(const BlockStore& other) {
  detail::require_mergeable(filter_, layout_ == other.layout_);
  inserted_ = std::min(inserted_, other.inserted_);
  return bits_.intersect(other.bits_);
}

template <class Layout>
FilterState BlockStore<Layout>::state() const {
  const std::uint64_t bits_set = bits_.popcount();
  return {.bits = layout_.bits(),
          .bits_set = bits_set,
          .memory_bits = bits_.memory_bits(),
          .conditional_rate = layout_.conditional_rate(bits_.words()),
          .layers = {{layout_.bits(), bits_set, inserted_, layout_.probes()}}};
}

template <class Layout>
void BlockStore<Layout>::clear() noexcept {
  bits_.clear();
  inserted_ = 0;
}

template class BlockStore<PlainBlocks>;
template class BlockStore<SectorBlocks>;
template class BlockStore<WordBlocks>;
template class BlockStore<LaneBlocks>;

}  // namespace bloomlab
