#include "core/filters/block_filter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "core/require_places.hpp"
#include "core/simd/word_range.hpp"

namespace bloomlab {
namespace {

/// Digests of which those of a share are packed together at once: they stay in the nearest cache.
constexpr std::size_t share_part = 1024;
/// Digests of a share that are inserted together, at least: many, as with every call memory is
/// waited for anew, few enough for the second cache.
constexpr std::size_t share_batch = 8192;

/// The smallest digest whose block begins at this word or behind it, where there is such a block.
/// Blocks follow each other as digests do.
template <class Layout>
std::optional<std::uint64_t> smallest_digest_from(const Layout& layout, std::uint64_t word) {
  if (layout.first_word(0) >= word) return 0;
  std::uint64_t before = 0;  // the largest digest, so far, whose block begins before the word
  for (std::uint64_t step = std::uint64_t{1} << 63; step != 0; step >>= 1) {
    if (layout.first_word(before + step) < word) before += step;
  }
  if (before == ~std::uint64_t{0}) return std::nullopt;
  return before + 1;
}

}  // namespace

template <class Layout>
BlockStore<Layout>::BlockStore(const Layout& layout, std::string_view filter, FilterMemory* memory)
    : layout_(layout), filter_(filter), bits_(layout.bits(), memory) {}

template <class Layout>
simd::BlockBatch BlockStore<Layout>::batch(const DigestStream& digests) const noexcept {
  return {.digests = digests, .lookahead = tuning_.lookahead(bits_.memory_bits() / 8)};
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestStream& digests) {
  if (digests.size() == 0) return;
  simd::insert(layout_, batch(digests), bits_.writable_words(), {});
  inserted_ += digests.size();
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_places(digests.size, before.size());
  if (digests.size == 0) return;
  simd::insert(layout_, batch(digests.word(0)), bits_.writable_words(), before);
  inserted_ += digests.size;
}

template <class Layout>
void BlockStore<Layout>::contains(const DigestStream& digests, std::span<Answer> out) const {
  detail::require_places(digests.size(), out.size());
  if (digests.size() == 0) return;
  static_cast<void>(simd::find(layout_, batch(digests), bits_.words(), out));
}

template <class Layout>
std::uint64_t BlockStore<Layout>::count_contained(const DigestStream& digests) const {
  if (digests.size() == 0) return 0;
  return simd::find(layout_, batch(digests), bits_.words(), {});
}

template <class Layout>
BlockShare BlockStore<Layout>::share(std::size_t index, std::size_t count) const {
  assert(index < count);
  // Products do not overflow: a filter has less than 2^56 words, and threads are few.
  const std::uint64_t words = layout_.bits() / 64;
  const auto first = smallest_digest_from(layout_, words * index / count);
  const auto next =
      index + 1 < count ? smallest_digest_from(layout_, words * (index + 1) / count) : std::nullopt;
  if (!first || first == next) return {.empty = true};
  return {.first = *first, .last = next ? *next - 1 : ~std::uint64_t{0}};
}

template <class Layout>
void BlockStore<Layout>::insert(const DigestStream& digests, BlockShare& share) {
  if (share.empty) return;
  std::array<std::uint64_t, share_part> part;
  std::array<std::uint64_t, share_batch + share_part> kept;
  std::size_t count = 0;
  const auto insert_kept = [&] {
    if (count == 0) return;
    simd::insert(layout_, batch(std::span<const std::uint64_t>(kept.data(), count)),
                 bits_.writable_words(), {});
    share.inserted += count;
    count = 0;
  };
  for (std::size_t begin = 0; begin < digests.size(); begin += share_part) {
    const std::size_t size = std::min(share_part, digests.size() - begin);
    const std::uint64_t* words = part.data();
    if (digests.made() != nullptr) {
      words = digests.made() + begin;
    } else {
      digests.write(begin, size, part.data());
    }
    count += simd::keep_range({words, size}, share.first, share.last, kept.data() + count);
    if (count >= share_batch) insert_kept();
  }
  insert_kept();
}

template <class Layout>
bool BlockStore<Layout>::merge_share(const BlockStore& other, std::size_t index,
                                     std::size_t count) {
  detail::require_mergeable(filter_, layout_ == other.layout_);
  if (index == 0) inserted_ += other.inserted_;
  return bits_.merge_share(other.bits_, index, count);
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
