// The bits of a filter of blocks, and what such filters do with them: they differ in their layout
// only (core/bits/block_layouts.hpp).
//
// A batch is handled by a vector kernel (core/simd/block_kernels.hpp), which asks for the block of
// a key some keys ahead of its use. A key costs one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/digest_stream.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/shared_words.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/block_kernels.hpp"

namespace bloomlab {

/// The digests of which one of several threads inserts the keys, and what it has inserted.
struct BlockShare {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< the last one that is of the share
  bool empty = false;      ///< none is: there are more shares than blocks
  std::uint64_t inserted = 0;
};

/// The bits of a filter of one layout. Uses the first word of each digest.
template <class Layout>
class BlockStore {
 public:
  /// @param filter name for the texts of errors; outlives the store   @param memory where the bits
  /// come from (core/bits/zeroed_memory.hpp). Throws AllocationError.
  BlockStore(const Layout& layout, std::string_view filter, FilterMemory* memory);

  /// Inserts every key of the batch, or of the stream.
  void insert(const DigestBatch& digests) { insert(DigestStream(digests.word(0))); }
  void insert(const DigestStream& digests);
  /// Inserts every key and writes what contains() would have said of it just before.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    contains(DigestStream(digests.word(0)), out);
  }
  void contains(const DigestStream& digests, std::span<Answer> out) const;
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return count_contained(DigestStream(digests.word(0)));
  }
  [[nodiscard]] std::uint64_t count_contained(const DigestStream& digests) const;

  /// One key, inlined (core/filters/one_key.hpp).
  [[gnu::always_inline]] bool insert_one(std::uint64_t digest) noexcept {
    ++inserted_;
    return detail::set_in_block(layout_, bits_.writable_words().data(), digest);
  }
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t digest) const noexcept {
    return detail::block_has(layout_, bits_.words().data(), digest);
  }

  /// One key, while other threads do the same (core/filters/shared_words.hpp).
  bool insert_shared(std::uint64_t digest) noexcept {
    return detail::set_block_shared(layout_, bits_.writable_words().data(), digest);
  }
  [[nodiscard]] bool contains_shared(std::uint64_t digest) const noexcept {
    return detail::block_has_shared(layout_, bits_.words().data(), digest);
  }
  void add_inserted(std::uint64_t keys) noexcept { inserted_ += keys; }

  /// Share number `index` of `count` (core/filters/concepts.hpp, FilledInShares): a run of blocks,
  /// and so a run of digests. The store outlives it. Precondition: index < count.
  [[nodiscard]] BlockShare share(std::size_t index, std::size_t count) const;
  /// Inserts those of the keys that are of the share.
  void insert(const DigestBatch& digests, BlockShare& share) {
    insert(DigestStream(digests.word(0)), share);
  }
  void insert(const DigestStream& digests, BlockShare& share);
  /// Takes the keys of a share into account, once its thread has ended.
  void join(const BlockShare& share) noexcept { inserted_ += share.inserted; }

  /// Bits of either; true if one changed. Throws std::invalid_argument for another layout.
  bool merge(const BlockStore& other);
  /// Bits of both; true if one changed. Throws std::invalid_argument for another layout.
  bool intersect(const BlockStore& other);

  /// Counts and the layout's conditional rate. Reads the whole array.
  [[nodiscard]] FilterState state() const;
  void clear() noexcept;

  /// How batches are worked on from now on; changes no answer.
  void tune(const BatchTuning& tuning) noexcept { tuning_ = tuning; }
  [[nodiscard]] const BatchTuning& tuning() const noexcept { return tuning_; }

  [[nodiscard]] const BitArray& bits() const& noexcept { return bits_; }
  void bits() const&& = delete;
  /// Keys inserted since the store was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return inserted_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.bits_);
    std::uint64_t inserted = self.inserted_;
    visit(inserted);
    if constexpr (Visitor::reading) self.inserted_ = inserted;
  }

 private:
  [[nodiscard]] simd::BlockBatch batch(const DigestStream& digests) const noexcept;

  Layout layout_;
  std::string_view filter_;
  BitArray bits_;
  KeyCount inserted_ = 0;
  BatchTuning tuning_;
};

}  // namespace bloomlab
