// What the filters of blocks have in common, which is all but a description: a filter of blocks is
// this class with rules (core/filters/blocked.hpp and its neighbours).
//
// Rules are a type with the static members of a filter's description (core/filters/concepts.hpp:
// name, summary, source, Parameters with a field m, describe, examples, check, probes, prediction),
// with the type Layout (core/bits/block_layouts.hpp), and with layout(parameters), which is
// asked only for parameters without a fault.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/bits/block_layouts.hpp"
#include "core/digest_stream.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/block_store.hpp"
#include "core/filters/fault.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/theory/cardinality.hpp"

namespace bloomlab {
namespace detail {

/// What the set bits of blocks of a layout say of the number of keys depends on that.
[[nodiscard]] inline theory::BlockShape shape_of(const PlainBlocks& layout) noexcept {
  return {.blocks = layout.blocks, .sector_bits = layout.block_bits, .bits_per_group = layout.k};
}
[[nodiscard]] inline theory::BlockShape shape_of(const SectorBlocks& layout) noexcept {
  return {.blocks = layout.blocks,
          .groups = layout.groups,
          .choices = layout.sectors / layout.groups,
          .sector_bits = layout.sector_bits,
          .bits_per_group = layout.bits_per_group};
}
[[nodiscard]] inline theory::BlockShape shape_of(const WordBlocks& layout) noexcept {
  return {.blocks = layout.blocks, .groups = layout.k, .sector_bits = WordBlocks::word_bits};
}
[[nodiscard]] inline theory::BlockShape shape_of(const LaneBlocks& layout) noexcept {
  return {
      .blocks = layout.blocks, .groups = LaneBlocks::lanes, .sector_bits = LaneBlocks::lane_bits};
}

}  // namespace detail

/// A filter of blocks: a key sets the bits that its digest's one word says in one block. Const
/// members may be called by several threads at once.
template <class Rules>
class BlockFilter : public Rules {
 public:
  using typename Rules::Layout;
  using typename Rules::Parameters;
  using Share = BlockShare;
  static constexpr bool chooses_positions = true;

  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    return BitArray::memory_bits_for(p.m);
  }
  /// One word per key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// The shape of its blocks, by which set bits tell how many keys there are
  /// (core/theory/cardinality.hpp). Precondition: check(p) has no fault.
  [[nodiscard]] static theory::BlockShape shape(const Parameters& p) noexcept {
    return detail::shape_of(Rules::layout(p));
  }

  /// An empty filter, in pages of the operating system or in the memory that is given. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  explicit BlockFilter(const Parameters& p, FilterMemory* memory = nullptr)
      : parameters_(detail::require(p, Rules::check(p))),
        store_(Rules::layout(p), Rules::name, memory) {}

  /// Inserts every key of the batch, or of the stream.
  void insert(const DigestBatch& digests) { store_.insert(digests); }
  void insert(const DigestStream& digests) { store_.insert(digests); }
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before) {
    store_.insert(digests, before);
  }
  /// Whether the filter reports each key. out.size() is the number of digests.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    store_.contains(digests, out);
  }
  void contains(const DigestStream& digests, std::span<Answer> out) const {
    store_.contains(digests, out);
  }
  /// How many keys of the batch, or of the stream, the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return store_.count_contained(digests);
  }
  [[nodiscard]] std::uint64_t count_contained(const DigestStream& digests) const {
    return store_.count_contained(digests);
  }

  /// One key, inlined (core/filters/one_key.hpp).
  [[gnu::always_inline]] bool insert_one(std::uint64_t digest) noexcept {
    return store_.insert_one(digest);
  }
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t digest) const noexcept {
    return store_.contains_one(digest);
  }

  /// One key, while other threads do the same (core/filters/shared_words.hpp).
  bool insert_shared(std::uint64_t digest) noexcept { return store_.insert_shared(digest); }
  [[nodiscard]] bool contains_shared(std::uint64_t digest) const noexcept {
    return store_.contains_shared(digest);
  }
  void add_inserted(std::uint64_t keys) noexcept { store_.add_inserted(keys); }

  /// Share number `index` of `count` threads that fill the filter (core/filters/concepts.hpp,
  /// FilledInShares): those keys whose blocks stand in one part of the memory.
  [[nodiscard]] BlockShare share(std::size_t index, std::size_t count) const {
    return store_.share(index, count);
  }
  void insert(const DigestBatch& digests, BlockShare& share) { store_.insert(digests, share); }
  void insert(const DigestStream& digests, BlockShare& share) { store_.insert(digests, share); }
  void join(const BlockShare& share) noexcept { store_.join(share); }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters.
  bool merge(const BlockFilter& other) { return store_.merge(other.store_); }
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as merge().
  bool intersect(const BlockFilter& other) { return store_.intersect(other.store_); }

  /// Counts, and the layout's conditional rate. Reads the whole array.
  [[nodiscard]] FilterState state() const { return store_.state(); }
  /// Empty again, with the memory kept.
  void clear() noexcept { store_.clear(); }

  /// How far ahead batches ask for memory; changes no answer.
  void tune(const BatchTuning& tuning) noexcept { store_.tune(tuning); }
  [[nodiscard]] const BatchTuning& tuning() const noexcept { return store_.tuning(); }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const BitArray& bits() const& noexcept { return store_.bits(); }
  void bits() const&& = delete;
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return store_.inserted(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    self.store_.contents(self.store_, visit);
  }

 private:
  Parameters parameters_;
  BlockStore<Layout> store_;
};

/// The bits of other layouts than the split block's are made faster for eight keys than for one.
template <class Rules>
inline constexpr FewKeys few_keys<BlockFilter<Rules>> =
    std::same_as<typename Rules::Layout, LaneBlocks>     ? FewKeys{48, 24}
    : std::same_as<typename Rules::Layout, WordBlocks>   ? FewKeys{16, 12}
    : std::same_as<typename Rules::Layout, SectorBlocks> ? FewKeys{4, 4}
                                                         : FewKeys{6, 6};

}  // namespace bloomlab
