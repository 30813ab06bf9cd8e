// A split-block filter in forty lines (plain_block_filter.hpp) as a peer, with a hash of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "experiments/peers/peer.hpp"
#include "experiments/peers/plain_block_filter.hpp"

namespace bloomlab::experiments {

/// Its hash has no seed: only the keys are redrawn.
class PlainSplitBlock final : public PeerImplementation {
 public:
  static constexpr std::string_view name = "plain_split_block";
  static constexpr std::string_view summary =
      "a split-block filter in forty lines, key by key, with a hash of its own";
  static constexpr std::string_view source = "own: experiments/peers/plain_block_filter.hpp";
  [[nodiscard]] record::Json law() const;
  explicit PlainSplitBlock(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  FilterState state() const override;
  std::unique_ptr<Asker> asker() const override;

 private:
  PlainBlockFilter filter_;
};

}  // namespace bloomlab::experiments
