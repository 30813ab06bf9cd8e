#include "experiments/peers/plain_split_block.hpp"

#include "experiments/peers/keyed_peer.hpp"

namespace bloomlab::experiments {

PlainSplitBlock::PlainSplitBlock(const PeerSetup& setup)
    : filter_(static_cast<std::size_t>(peer_bits(setup.n, setup.bits_per_key))) {}

record::Json PlainSplitBlock::law() const {
  return {{"kind", "split_block"}, {"m", filter_.bits()}};
}

void PlainSplitBlock::insert(const KeyBatch& keys) {
  for_each_key(keys, [this](const auto& key) { filter_.insert(key); });
}

FilterState PlainSplitBlock::state() const {
  const std::uint64_t bits = filter_.bits();
  const std::uint64_t set = filter_.bits_set();
  return {.bits = bits, .bits_set = set, .memory_bits = bits, .layers = {{bits, set, 0, 8}}};
}

std::unique_ptr<Asker> PlainSplitBlock::asker() const {
  return std::make_unique<OneKeyAsker<PlainBlockFilter>>(filter_);
}

}  // namespace bloomlab::experiments
