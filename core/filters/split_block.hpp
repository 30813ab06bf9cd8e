// The split-block filter of Apache Parquet: blocks of 8 lanes of 32 bits, a key sets one bit in
// each lane of its block. With the hash xxhash64 under seed 0 the bits are those of a Parquet file.
// Sources: the Apache Parquet format, "Parquet Bloom Filter" (BloomFilter.md); the layout: Putze,
// Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters", WEA.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/block_layouts.hpp"
#include "core/filters/block_store.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The split-block filter. The block comes from the upper 32 bits of the digest, the lanes' bits
/// from the lower 32: two keys of one block differ in 32 bits at most, and of b blocks some are hit
/// more often than others by up to b / 2^32, relatively. Const members may be called by several
/// threads at once.
class SplitBlock {
 public:
  static constexpr std::string_view name = "split_block";
  static constexpr std::string_view summary =
      "blocks of 8 x 32 bits, one bit a key in each lane of 32 (Apache Parquet's)";
  static constexpr std::string_view source = "Apache Parquet format, Parquet Bloom Filter";
  static constexpr bool chooses_positions = true;
  /// The specification has fewer than 2^31 blocks.
  static constexpr std::uint64_t max_m = ((std::uint64_t{1} << 31) - 1) * LaneBlocks::block_bits;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits, a multiple of 256
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of 256", 1, max_m}, p.m);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// 8, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `split_block`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// One word a key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit SplitBlock(const Parameters& p);

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests) { store_.insert(digests); }
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before) {
    store_.insert(digests, before);
  }
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    store_.contains(digests, out);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return store_.count_contained(digests);
  }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters.
  bool unite(const SplitBlock& other) { return store_.unite(other.store_); }
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as unite().
  bool intersect(const SplitBlock& other) { return store_.intersect(other.store_); }

  /// Counts, and the conditional rate mean over blocks of prod X/32. Reads the
  /// whole array.
  [[nodiscard]] FilterState state() const { return store_.state(); }
  /// Empty again, with the memory kept.
  void clear() noexcept { store_.clear(); }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const BitArray& bits() const noexcept { return store_.bits(); }
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return store_.inserted(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    self.store_.contents(self.store_, visit);
  }

 private:
  Parameters parameters_;
  BlockStore<LaneBlocks> store_;
};

}  // namespace bloomlab
