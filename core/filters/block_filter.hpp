// What the filters of blocks have in common, which is all but a description: a filter of blocks is
// this class with rules (core/filters/blocked.hpp and its neighbours).
//
// Rules are a type with the static members of a filter's description (core/filters/concepts.hpp:
// name, summary, source, Parameters with a field m, describe, examples, check, prediction, sizing),
// with the type Layout (core/bits/block_layouts.hpp), and with layout(parameters), which is
// asked only for parameters without a fault.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/bits/block_layouts.hpp"
#include "core/digest_stream.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/shared_words.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/parameters.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/query.hpp"

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

/// The digests of which one of several threads inserts the keys, and what it has inserted.
struct BlockShare {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< the last one that is of the share
  bool empty = false;      ///< none is: there are more shares than blocks
  std::uint64_t inserted = 0;
};

/// The bits of a filter of one layout, and what such filters do with them: they differ in their
/// layout only (core/bits/block_layouts.hpp). Uses the first word of each digest. Const members may
/// be called by several threads at once.
///
/// A batch is handled by a vector kernel (core/simd/block_kernels.hpp), which asks for the block of
/// a key some keys ahead of its use. A key costs one cache line.
template <class Layout>
class BlockStore {
 public:
  /// @param filter name for the texts of errors; outlives the store   @param memory where the bits
  /// come from (core/bits/zeroed_memory.hpp). Throws AllocationError.
  BlockStore(const Layout& layout, std::string_view filter, FilterMemory* memory);

  /// Inserts every key of the batch, or of the stream.
  void insert(const DigestBatch& digests) { insert(DigestStream(digests.word(0))); }
  void insert(const DigestStream& digests);
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  /// Whether the filter reports each key. out.size() is the number of digests.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    contains(DigestStream(digests.word(0)), out);
  }
  void contains(const DigestStream& digests, std::span<Answer> out) const;
  /// How many keys of the batch, or of the stream, the filter reports.
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
    return detail::set_block_shared(layout_, bits_.writable_words().data(), digest,
                                    !tuning_.in_memory(bits_.memory_bits() / 8));
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

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters.
  bool merge(const BlockStore& other) { return merge_share(other, 0, 1); }
  /// Share number `index` of that (core/filters/concepts.hpp, MergedInShares).
  bool merge_share(const BlockStore& other, std::size_t index, std::size_t count);
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as merge().
  bool intersect(const BlockStore& other);

  /// Counts and the layout's conditional rate. Reads the whole array.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
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
  NumberBesideWords inserted_ = 0;
  BatchTuning tuning_;
};

/// A filter of blocks: a key sets the bits that its digest's one word says in one block.
template <class Rules>
class BlockFilter : public Rules, public BlockStore<typename Rules::Layout> {
 public:
  using typename Rules::Layout;
  using typename Rules::Parameters;
  using Share = BlockShare;
  static constexpr bool chooses_positions = true;

  /// k, or the bits that the layout sets, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    if constexpr (requires { p.k; }) {
      return static_cast<int>(p.k);
    } else {
      return static_cast<int>(Rules::layout(p).probes());
    }
  }
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    return BitArray::memory_bits_for(p.m);
  }
  /// One word per key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// Cache lines that a lookup reads: those of a block.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t /*n*/) {
    const Layout layout = Rules::layout(p);
    return detail::one_run(layout.bits() / layout.blocks, layout.bits() / layout.blocks);
  }

  /// The shape of its blocks, by which set bits tell how many keys there are
  /// (core/theory/cardinality.hpp). Precondition: check(p) has no fault.
  [[nodiscard]] static theory::BlockShape shape(const Parameters& p) noexcept {
    return detail::shape_of(Rules::layout(p));
  }

  /// Its blocks, and their rates for any number of them. Precondition: check(p) has no fault.
  [[nodiscard]] static std::uint64_t blocks(const Parameters& p) noexcept {
    return Rules::layout(p).blocks;
  }
  [[nodiscard]] static theory::BlockRates block_rates(const Parameters& p) {
    const theory::BlockShape blocks = shape(p);
    if constexpr (std::same_as<Layout, PlainBlocks>) {
      return theory::BlockRates::plain(blocks.sector_bits, blocks.bits_per_group);
    } else if constexpr (std::same_as<Layout, SectorBlocks>) {
      return theory::BlockRates::of_sectors({.sectors = blocks.groups * blocks.choices,
                                             .sector_bits = blocks.sector_bits,
                                             .groups = blocks.groups,
                                             .bits_per_group = blocks.bits_per_group});
    } else if constexpr (std::same_as<Layout, LaneBlocks>) {
      return theory::BlockRates::of_lanes(blocks.groups, blocks.sector_bits,
                                          LaneBlocks::position_bits);
    } else {
      return theory::BlockRates::of_lanes(blocks.groups, blocks.sector_bits);
    }
  }

  /// The value of the closed form after n distinct keys.
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return block_rates(p).rate(blocks(p), n);
  }

  /// An empty filter, in pages of the operating system or in the memory that is given. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  explicit BlockFilter(const Parameters& p, FilterMemory* memory = nullptr)
      : BlockStore<Layout>(Rules::layout(detail::require(p, Rules::check(p))), Rules::name, memory),
        parameters_(p) {}

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  Parameters parameters_;
};

/// The bits of other layouts than the split block's are made faster for eight keys than for one.
template <class Rules>
inline constexpr FewKeys few_keys<BlockFilter<Rules>> =
    std::same_as<typename Rules::Layout, LaneBlocks>     ? FewKeys{48, 24, 64}
    : std::same_as<typename Rules::Layout, WordBlocks>   ? FewKeys{16, 12}
    : std::same_as<typename Rules::Layout, SectorBlocks> ? FewKeys{4, 4}
                                                         : FewKeys{6, 6};

}  // namespace bloomlab
