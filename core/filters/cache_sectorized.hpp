// The cache-sectorized filter: a block is cut into sectors, those into groups; a key has bits in
// one sector of every group. As many groups as sectors make the sectorized filter. Source: Lang,
// Neumann, Kemper, Boncz 2019, "Performance-optimal filtering: Bloom overtakes cuckoo at high
// throughput", PVLDB 12(5).
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

/// The cache-sectorized filter. The block comes from the high bits of the digest; sectors and the
/// k / groups positions in each (with replacement) from words mixed from it anew. Const members may
/// be called by several threads at once.
class CacheSectorized {
 public:
  static constexpr std::string_view name = "cache_sectorized";
  static constexpr std::string_view summary =
      "k positions a key in one block, spread evenly over groups of sectors";
  static constexpr std::string_view source =
      "Lang, Neumann, Kemper, Boncz 2019, Performance-optimal filtering";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t max_sector_bits = 64;

  struct Parameters {
    std::uint64_t m = 0;            ///< filter bits, a multiple of block_bits
    std::uint64_t k = 0;            ///< probes per key, a multiple of groups
    std::uint64_t groups = 0;       ///< groups of a block, a power of two, at most its sectors
    std::uint64_t block_bits = 0;   ///< bits of a block, a power of two, 64 .. 512
    std::uint64_t sector_bits = 0;  ///< bits of a sector, a power of two, 8 .. 64
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of block_bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key, a multiple of groups", 1,
                       max_probes},
          p.k);
    visit(IntegerField{"groups", "groups",
                       "groups of sectors in a block, a power of two; as many as sectors make the "
                       "sectorized filter",
                       1, max_block_bits / 8},
          p.groups);
    visit(IntegerField{.name = "block_bits",
                       .unit = "bits",
                       .meaning = "size of a block: 64, 128, 256 or 512",
                       .min = 64,
                       .max = max_block_bits,
                       .fallback = 512},
          p.block_bits);
    visit(IntegerField{.name = "sector_bits",
                       .unit = "bits",
                       .meaning = "size of a sector: 8, 16, 32 or 64",
                       .min = 8,
                       .max = max_sector_bits,
                       .fallback = 64},
          p.sector_bits);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `cache_sectorized`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// One word a key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit CacheSectorized(const Parameters& p);

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
  bool unite(const CacheSectorized& other) { return store_.unite(other.store_); }
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as unite().
  bool intersect(const CacheSectorized& other) { return store_.intersect(other.store_); }

  /// Counts, and the conditional rate of the sectors' fill. Reads the
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
  BlockStore<SectorBlocks> store_;
};

}  // namespace bloomlab
