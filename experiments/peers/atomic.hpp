// AtomicFilter, which several threads fill key by key without locks, timed beside the filters that
// it is a front of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/atomic_filter.hpp"
#include "core/filters/blocked.hpp"
#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {

/// An AtomicFilter of the default hash, sized as its filter is. Calls are of one key. The bits are
/// those of the filter under the same hash and seed, however many threads insert.
template <class Filter>
class AtomicPeer : public Implementation {
 public:
  static constexpr std::string_view source = "own: core/atomic_filter.hpp";
  static constexpr bool available = true;
  static constexpr std::string_view sized_as = "";
  static constexpr bool filled_by_threads = true;
  static constexpr bool tuned = false;
  static constexpr bool key_by_key = true;
  static constexpr std::string_view compiled_hash = MultiplyMix64::name;
  [[nodiscard]] const record::Json& law() const noexcept { return law_; }
  explicit AtomicPeer(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  void insert_by_threads(std::span<const KeyBatch> batches, const ThreadStarted& started) override;
  std::uint64_t count_contained(const KeyBatch& keys) override;
  FilterState state() const override;
  bool grows() const noexcept override { return false; }
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

}  // namespace bloomlab::experiments
