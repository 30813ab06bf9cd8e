#include "core/filters/block_store.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "core/filters/block_layouts.hpp"
#include "core/filters/fault.hpp"

namespace bloomlab {
namespace {

/// Keys whose targets (72 bytes each) stay in the nearest cache while their blocks are fetched.
constexpr std::size_t chunk_keys = 64;

/// Sets the bits of the target; true if one was not set before.
bool set(BitArray& bits, const BlockTarget& target, std::size_t words) noexcept {
  bool changed = false;
  for (std::size_t i = 0; i < words; ++i) changed |= bits.set_word(target.word + i, target.mask[i]);
  return changed;
}

/// Whether every bit of the target is set. No branch depends on a bit.
bool all_set(const BitArray& bits, const BlockTarget& target, std::size_t words) noexcept {
  const std::uint64_t* const block = bits.words().data() + target.word;
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < words; ++i) missing |= target.mask[i] & ~block[i];
  return missing == 0;
}

}  // namespace

template <class Layout>
BlockStore<Layout>::BlockStore(const Layout& layout, std::string_view filter)
    : layout_(layout), filter_(filter), bits_(layout.bits()) {}

template <class Layout>
template <class Use>
void BlockStore<Layout>::for_each_target(const DigestBatch& digests, Use&& use) const {
  if (digests.size == 0) return;
  const std::span<const std::uint64_t> words = digests.word(0);
  std::array<BlockTarget, chunk_keys> targets;
  for (std::size_t first = 0; first < words.size(); first += chunk_keys) {
    const std::size_t count = std::min(chunk_keys, words.size() - first);
    for (std::size_t j = 0; j < count; ++j) {
      targets[j] = layout_.target(words[first + j]);
      bits_.prefetch(targets[j].word * 64);
    }
    for (std::size_t j = 0; j < count; ++j) use(first + j, targets[j]);
  }
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestBatch& digests) {
  for_each_target(digests, [this](std::size_t, const BlockTarget& target) {
    set(bits_, target, layout_.words());
  });
  inserted_ += digests.size;
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestBatch& digests, std::span<Answer> before) {
  assert(before.size() == digests.size);
  for_each_target(digests, [&](std::size_t key, const BlockTarget& target) {
    before[key] = set(bits_, target, layout_.words()) ? Answer::absent : Answer::maybe;
  });
  inserted_ += digests.size;
}

template <class Layout>
void BlockStore<Layout>::contains(const DigestBatch& digests, std::span<Answer> out) const {
  assert(out.size() == digests.size);
  for_each_target(digests, [&](std::size_t key, const BlockTarget& target) {
    out[key] = all_set(bits_, target, layout_.words()) ? Answer::maybe : Answer::absent;
  });
}

template <class Layout>
std::uint64_t BlockStore<Layout>::count_contained(const DigestBatch& digests) const {
  std::uint64_t count = 0;
  for_each_target(digests, [&](std::size_t, const BlockTarget& target) {
    count += all_set(bits_, target, layout_.words()) ? 1 : 0;
  });
  return count;
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
