#include "experiments/peers/limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/parallel/run_threads.hpp"
#include "core/simd/line_touches.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::size_t words_a_line = simd::LineTouches::words_a_line;
constexpr std::size_t most_touches = 64;

/// Digests that are at hand at once: their next words fit beside them into the nearest cache.
constexpr std::size_t touched_at_once = 512;

/// Calls `use(batch)` with the digests of some keys, once for every touch, each time with another
/// uniform word of the same key.
template <class Use>
void for_each_touch(const DigestStream& digests, std::uint64_t touches, std::size_t lookahead,
                    Use use) {
  if (touches == 1) {
    use(simd::BlockBatch{digests, lookahead});
    return;
  }
  std::array<std::uint64_t, touched_at_once> words;
  for (std::size_t first = 0; first < digests.size(); first += words.size()) {
    const std::size_t count = std::min(words.size(), digests.size() - first);
    digests.write(first, count, words.data());
    for (std::uint64_t touch = 0; touch < touches; ++touch) {
      use(simd::BlockBatch{std::span<const std::uint64_t>(words.data(), count), lookahead});
      if (touch + 1 == touches) break;
      // A product and an addition: less than any probe of filters computes.
      for (std::size_t i = 0; i < count; ++i) {
        words[i] = words[i] * 0xd1342543de82ef95ULL + 0x9e3779b97f4a7c15ULL;
      }
    }
  }
}

}  // namespace

TouchedLines::TouchedLines(std::uint64_t bits, std::uint64_t touches)
    : memory_(static_cast<std::size_t>((bits + 511) / 512 * words_a_line)),
      lines_((bits + 511) / 512),
      touches_(std::min<std::uint64_t>(touches, most_touches)) {}

void TouchedLines::insert(const DigestStream& digests) {
  for_each_touch(digests, touches_, lookahead(), [this](const simd::BlockBatch& batch) {
    simd::write_lines({lines_}, batch, memory_.words());
  });
}

void TouchedLines::insert(const DigestBatch& digests, std::span<Answer> before) {
  insert(DigestStream(digests.word(0)));
  std::fill(before.begin(), before.end(), Answer::absent);
}

std::uint64_t TouchedLines::count_contained(const DigestStream& digests) const {
  // The lowest bits are never set: nothing is reported, and the compiler does not know.
  std::uint64_t count = 0;
  for_each_touch(digests, touches_, lookahead(), [&](const simd::BlockBatch& batch) {
    count += simd::read_lines({lines_}, batch, memory_.words());
  });
  return count;
}

std::size_t TouchedLines::lookahead() const noexcept {
  return tuning_.lookahead(memory_.words().size_bytes());
}

FilterState TouchedLines::state() const {
  const std::uint64_t bits = lines_ * 512;
  return {.bits = bits, .memory_bits = bits, .layers = {{bits, 0, 0, touches_}}};
}

LimitImplementation::LimitImplementation(const PeerSetup& setup, std::uint64_t touches)
    : lines_(peer_bits(setup.n, setup.bits_per_key), touches),
      hash_(setup.hasher, {.words = 1}, setup.seed) {}

void LimitImplementation::insert(const KeyBatch& keys) { hash_.insert(lines_, keys); }

void LimitImplementation::insert_by_threads(std::span<const KeyBatch> batches,
                                            const ThreadStarted& started) {
  run_threads(batches.size(), [&](std::size_t thread) {
    started(static_cast<unsigned>(thread));
    hash_.insert(lines_, batches[thread]);
  });
}

std::uint64_t LimitImplementation::count_contained(const KeyBatch& keys) {
  return hash_.count_contained(lines_, keys);
}

std::unique_ptr<Asker> LimitImplementation::asker() const {
  return std::make_unique<DigestAsker<TouchedLines>>(lines_, hash_);
}

std::unique_ptr<Deduplicator> LimitImplementation::deduplicator() {
  return std::make_unique<DigestDeduplicator<TouchedLines>>(lines_, hash_);
}

}  // namespace bloomlab::experiments
