#include "experiments/cells/k_sliced_probes.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/keys/seed_family.hpp"

namespace bloomlab::experiments {

ProbeByProbe::ProbeByProbe(const Hasher& hasher, const Probe& probe, std::uint64_t m, int k,
                           std::uint64_t seed, Takes takes)
    : hasher_(hasher),
      probe_(probe),
      m_(m),
      k_(k),
      need_(probe.need(k)),
      takes_(takes),
      keys_(max_batch + simd::marks_padding),
      kept_(max_batch + simd::marks_padding),
      texts_(max_batch),
      words_(max_probes_at_once * max_batch),
      positions_(max_probes_at_once * max_batch + simd::positions_padding) {
  assert(takes == Takes::keys || takes_digests(probe, k));
  const SeedFamily family(seed);
  for (int i = 0; i < hasher.seeds_for(need_); ++i) seeds_.push_back(family(i));
}

void ProbeByProbe::start(const KeyBatch& keys, Left later) {
  assert(keys.size() <= max_batch);
  batch_ = keys;
  left_ = keys.size();
  const bool as_they_are = keeps_values() || takes_ == Takes::digests;
  left_keys_ = as_they_are ? keys.values().data() : keys_.data();
  if (as_they_are) return;
  if (!need_.family && probe_.steps()) {
    hasher_.write(keys, seeds_, need_, {keys_.data(), left_, 1});
    return;
  }
  std::iota(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(left_), 0U);
  if (need_.family) return;
  batch_digests_ = hasher_.digest(keys, seeds_[0], need_, digests_);
  derived_probes_ = later == Left::all ? k_ : std::min(k_, few_probes);
  derived_ = probe_.positions(batch_digests_, m_, derived_probes_, derived_positions_);
}

void ProbeByProbe::derive_for_those_left() {
  words_left_.resize(left_ * static_cast<std::size_t>(batch_digests_.width));
  for (int word = 0; word < batch_digests_.width; ++word) {
    const std::span<const std::uint64_t> from = batch_digests_.word(word);
    std::uint64_t* const to = words_left_.data() + static_cast<std::size_t>(word) * left_;
    for (std::size_t j = 0; j < left_; ++j) to[j] = from[keys_[j]];
  }
  derived_ = probe_.positions({words_left_.data(), left_, left_, batch_digests_.width}, m_, k_,
                              derived_positions_);
  derived_probes_ = k_;
  std::iota(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(left_), 0U);
}

KeyBatch ProbeByProbe::keys_left() {
  if (keeps_values()) return KeyBatch::integers({left_keys_, left_}, batch_.integer_bytes());
  for (std::size_t j = 0; j < left_; ++j) texts_[j] = batch_.texts()[left_keys_[j]];
  return KeyBatch::texts({texts_.data(), left_});
}

void ProbeByProbe::derive(int i, std::uint64_t* positions) {
  if (i == derived_probes_) derive_for_those_left();
  const std::span<const std::uint64_t> plane = derived_.probe(i);
  for (std::size_t j = 0; j < left_; ++j) positions[j] = plane[keys_[j]];
}

void ProbeByProbe::take_step(std::uint64_t* positions) {
  // Digests that the batch holds are not ours to change.
  probe_.step({left_keys_, left_}, m_, keys_.data(), positions);
  left_keys_ = keys_.data();
}

std::span<const std::uint64_t> ProbeByProbe::positions(int i, int count) & {
  assert(count >= 1 && count <= max_probes_at_once);
  const auto words_each = static_cast<std::size_t>(count);
  if (need_.family) {
    // A word of a family alone decides its position, so positions i, i + 1, ... of the family are
    // positions 0, 1, ... of a batch whose only words these are.
    const DigestNeed these_words{.words = count, .family = true};
    hasher_.write(keys_left(), std::span(seeds_).subspan(static_cast<std::size_t>(i), words_each),
                  these_words, {words_.data(), left_, count});
    probe_.write({words_.data(), left_, left_, count}, m_, count, positions_.data());
  } else {
    for (int next = 0; next < count; ++next) {
      std::uint64_t* const plane = positions_.data() + static_cast<std::size_t>(next) * left_;
      if (probe_.steps() && i + next == 0) {
        probe_.write({left_keys_, left_, left_, 1}, m_, 1, plane);
      } else if (probe_.steps()) {
        take_step(plane);
      } else {
        derive(i + next, plane);
      }
    }
  }
  return {positions_.data(), words_each * left_};
}

}  // namespace bloomlab::experiments
