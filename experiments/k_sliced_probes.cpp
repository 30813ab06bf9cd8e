#include "experiments/k_sliced_probes.hpp"

#include "core/keys/seed_family.hpp"

namespace bloomlab::experiments {

ProbeByProbe::ProbeByProbe(const Hasher& hasher, const Probe& probe, std::uint64_t m, int k,
                           std::uint64_t seed)
    : hasher_(hasher), probe_(probe), m_(m), k_(k), need_(probe.need(k)) {
  const SeedFamily family(seed);
  for (int i = 0; i < hasher.seeds_for(need_); ++i) seeds_.push_back(family(i));
}

void ProbeByProbe::start(const KeyBatch& keys) {
  keys_ = keys;
  if (need_.family) return;
  const DigestBatch digests = hasher_.digest(keys, seeds_[0], need_, digests_);
  derived_ = probe_.positions(digests, m_, k_, derived_positions_);
}

KeyBatch ProbeByProbe::gather(std::span<const std::uint32_t> places) {
  if (places.size() == keys_.size()) return keys_;
  if (keys_.holds_integers()) {
    const std::span<const std::uint64_t> values = keys_.values();
    values_.resize(places.size());
    for (std::size_t j = 0; j < places.size(); ++j) values_[j] = values[places[j]];
    return KeyBatch::integers(values_, keys_.integer_bytes());
  }
  texts_.resize(places.size());
  for (std::size_t j = 0; j < places.size(); ++j) texts_[j] = keys_.texts()[places[j]];
  return KeyBatch::texts(texts_);
}

std::span<const std::uint64_t> ProbeByProbe::positions(int i,
                                                       std::span<const std::uint32_t> places) {
  positions_.resize(places.size());
  if (!need_.family) {
    const std::span<const std::uint64_t> plane = derived_.probe(i);
    if (places.size() == plane.size()) return plane;
    for (std::size_t j = 0; j < places.size(); ++j) positions_[j] = plane[places[j]];
    return positions_;
  }
  // Word i of a family alone decides position i, so position i of the family is position 0 of a
  // batch whose only word it is.
  words_.resize(places.size());
  const KeyBatch keys = gather(places);
  const DigestNeed one_word{.words = 1, .family = true};
  hasher_.write(keys, std::span(seeds_).subspan(static_cast<std::size_t>(i), 1), one_word,
                {words_.data(), words_.size(), 1});
  probe_.write({words_.data(), words_.size(), words_.size(), 1}, m_, 1, positions_.data());
  return positions_;
}

}  // namespace bloomlab::experiments
