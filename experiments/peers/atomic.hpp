// What a program fills a filter by from several threads: AtomicFilter, key by key without locks,
// and KeyedFilter::parallel_insert, a span at once. Timed beside the filters that they are fronts
// of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/atomic_filter.hpp"
#include "core/filters/blocked.hpp"
#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "core/hash_stage.hpp"
#include "core/keyed_filter.hpp"
#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {

/// An AtomicFilter of the default hash, sized as its filter is. Calls are of one key. The bits are
/// those of the filter under the same hash and seed, however many threads insert.
template <class Filter>
class AtomicPeer : public PeerImplementation {
 public:
  static constexpr std::string_view source = "own: core/atomic_filter.hpp";
  static constexpr bool filled_by_threads = true;
  static constexpr std::string_view compiled_hash = MultiplyMix64::name;
  [[nodiscard]] const record::Json& law() const noexcept { return law_; }
  explicit AtomicPeer(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  void insert_by_threads(std::span<const KeyBatch> batches, const ThreadStarted& started) override;
  FilterState state() const override;
  std::unique_ptr<Asker> asker() const override;
  std::optional<std::uint64_t> contents_checksum() const override;

 private:
  using Shared = AtomicFilter<MultiplyMix64, Filter>;

  /// Calls `use(filter)` while no thread uses the filter.
  template <class Use>
  auto with_filter(const Use& use) const;

  record::Json law_;
  mutable std::optional<Shared> filter_;  // never empty: taken and put back by with_filter()
};

class AtomicStandard final : public AtomicPeer<Standard> {
 public:
  static constexpr std::string_view name = "atomic_standard";
  static constexpr std::string_view summary =
      "AtomicFilter over standard: several threads insert, key by key";
  using AtomicPeer::AtomicPeer;
};

class AtomicBlocked final : public AtomicPeer<Blocked> {
 public:
  static constexpr std::string_view name = "atomic_blocked";
  static constexpr std::string_view summary =
      "AtomicFilter over blocked: several threads insert, key by key";
  using AtomicPeer::AtomicPeer;
};

class AtomicSplitBlock final : public AtomicPeer<SplitBlock> {
 public:
  static constexpr std::string_view name = "atomic_split_block";
  static constexpr std::string_view summary =
      "AtomicFilter over split_block: several threads insert, key by key";
  using AtomicPeer::AtomicPeer;
};

/// A KeyedFilter of the default hash, sized as its filter is, that is given all keys by one call:
/// parallel_insert(), or insert() where there is one thread.
template <class Filter>
class ParallelPeer : public PeerImplementation {
 public:
  static constexpr std::string_view source = "own: core/keyed_filter.hpp";
  static constexpr bool filled_by_threads = true;
  static constexpr bool merged = true;  // threads fill filters of their own
  static constexpr bool key_by_key = false;
  static constexpr std::string_view compiled_hash = MultiplyMix64::name;
  [[nodiscard]] const record::Json& law() const noexcept { return law_; }
  explicit ParallelPeer(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  bool insert_by_own_threads(const KeyBatch& keys, std::size_t threads) override;
  FilterState state() const override { return filter_.filter().state(); }
  std::unique_ptr<Asker> asker() const override;
  std::optional<std::uint64_t> contents_checksum() const override;

 private:
  record::Json law_;
  KeyedFilter<MultiplyMix64, Filter> filter_;
  HashStage hash_;  // that of the filter, for askers
};

class ParallelStandard final : public ParallelPeer<Standard> {
 public:
  static constexpr std::string_view name = "parallel_standard";
  static constexpr std::string_view summary =
      "KeyedFilter over standard: several threads insert, by parallel_insert";
  using ParallelPeer::ParallelPeer;
};

class ParallelBlocked final : public ParallelPeer<Blocked> {
 public:
  static constexpr std::string_view name = "parallel_blocked";
  static constexpr std::string_view summary =
      "KeyedFilter over blocked: several threads insert, by parallel_insert";
  using ParallelPeer::ParallelPeer;
};

class ParallelSplitBlock final : public ParallelPeer<SplitBlock> {
 public:
  static constexpr std::string_view name = "parallel_split_block";
  static constexpr std::string_view summary =
      "KeyedFilter over split_block: several threads insert, by parallel_insert";
  using ParallelPeer::ParallelPeer;
};

}  // namespace bloomlab::experiments
