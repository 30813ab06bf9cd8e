#include "core/hash/hasher.hpp"

#include <algorithm>
#include <cassert>

#include "core/require_places.hpp"

namespace bloomlab {

int Hasher::seeds_for(DigestNeed need) const noexcept {
  return need.family ? need.words : (need.words + words() - 1) / words();
}

void Hasher::write(const KeyBatch& keys, std::span<const std::uint64_t> seeds, DigestNeed need,
                   const DigestPlanes& out) const {
  assert(seeds.size() >= static_cast<std::size_t>(seeds_for(need)) && out.width == need.words);
  const int words_a_seed = need.family ? 1 : words();
  for (int first = 0; first < need.words; first += words_a_seed) {
    const int width = std::min(words_a_seed, need.words - first);
    digest_batch(keys, seeds[static_cast<std::size_t>(first / words_a_seed)],
                 out.planes(first, width));
  }
}

DigestBatch Hasher::digest(const KeyBatch& keys, std::uint64_t seed, DigestNeed need,
                           DigestBuffer& buffer) const {
  const auto seeds = static_cast<std::size_t>(seeds_for(need));
  if (buffer.seeds_.empty() || buffer.seeds_[0] != seed || buffer.seeds_.size() < seeds) {
    buffer.seeds_.resize(seeds);
    const SeedFamily family(seed);
    for (std::size_t i = 0; i < seeds; ++i) buffer.seeds_[i] = family(static_cast<int>(i));
  }
  const std::size_t size = keys.size();
  const std::size_t words = size * static_cast<std::size_t>(need.words);
  if (buffer.words_.size() < words) buffer.words_.resize(words);
  write(keys, buffer.seeds_, need, {buffer.words_.data(), size, need.words});
  return {buffer.words_.data(), size, size, need.words};
}

void Hasher::family_word(const KeyBatch& keys, std::uint64_t seed, int index,
                         std::span<std::uint64_t> out) const {
  detail::require_places(keys.size(), out.size());
  digest_batch(keys, family_seed(seed, index), {out.data(), out.size(), 1});
}

}  // namespace bloomlab
