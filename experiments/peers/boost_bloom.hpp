// Boost.Bloom's filters as peers: the classic one, and blocks of eight lanes.
// Source: Joaquín M. López Muñoz, Boost.Bloom, https://www.boost.org/libs/bloom (Boost 1.89; its
// bulk calls, which these peers use: 1.90).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {

/// What both have in common: the library's own hash, which has no seed, so that only the keys are
/// redrawn; bulk calls for batches and for calls of several keys, one key at a time for calls of
/// one. Its type says whether keys are integers or texts: it throws std::invalid_argument where it
/// is given others than its setup says.
class BoostBloomPeer : public PeerImplementation {
 public:
  static constexpr std::string_view source = "López Muñoz, Boost.Bloom (Boost 1.90 or later)";
#if defined(BLOOMLAB_HAS_BOOST_BLOOM)
  static constexpr bool available = true;
#else
  static constexpr bool available = false;
#endif
  /// Its version, the vectors that it is compiled for, and how it is called.
  [[nodiscard]] static record::Json built_as();

  void insert(const KeyBatch& keys) override { filter_->insert(keys); }
  FilterState state() const override { return filter_->state(); }
  std::unique_ptr<Asker> asker() const override { return filter_->asker(); }

 protected:
  explicit BoostBloomPeer(std::unique_ptr<Implementation> filter) : filter_(std::move(filter)) {}

 private:
  std::unique_ptr<Implementation> filter_;  ///< its type is in boost_bloom.cpp alone
};

class BoostBloom final : public BoostBloomPeer {
 public:
  static constexpr std::string_view name = "boost_bloom";
  static constexpr std::string_view summary = "the classic filter of Boost.Bloom, k = 7";
  [[nodiscard]] record::Json law() const;
  /// Throws std::runtime_error where the build has no Boost.Bloom.
  explicit BoostBloom(const PeerSetup& setup);
};

class BoostBloomMultiblock final : public BoostBloomPeer {
 public:
  static constexpr std::string_view name = "boost_bloom_multiblock";
  static constexpr std::string_view summary =
      "the filter of Boost.Bloom with blocks of eight lanes, fast_multiblock32<8>";
  [[nodiscard]] record::Json law() const;
  /// Throws std::runtime_error where the build has no Boost.Bloom.
  explicit BoostBloomMultiblock(const PeerSetup& setup);
};

}  // namespace bloomlab::experiments
