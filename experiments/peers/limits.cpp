#include "experiments/peers/limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::size_t words_a_line = 8;
constexpr std::size_t lines_in_flight = 64;

/// The digest for the next line of the same key: another uniform word.
std::uint64_t next_touch(std::uint64_t word) noexcept {
  return (word ^ (word >> 32)) * 0xd1342543de82ef95ULL + 0x9e3779b97f4a7c15ULL;
}

/// Places of the lines of up to lines_in_flight keys, asked for before they are used.
template <int Writing, class Use>
void for_each_touch(const DigestBatch& digests, const std::uint64_t* words, std::uint64_t lines,
                    std::uint64_t touches, Use use) {
  std::array<std::uint64_t, lines_in_flight> places;
  const auto keys_at_once = std::max<std::size_t>(1, lines_in_flight / touches);
  const std::span<const std::uint64_t> all = digests.word(0);
  for (std::size_t first = 0; first < all.size(); first += keys_at_once) {
    const std::size_t count = std::min(keys_at_once, all.size() - first);
    std::size_t filled = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t word = all[first + i];
      for (std::uint64_t touch = 0; touch < touches; ++touch) {
        places[filled] = multiply_high(word, lines) * words_a_line;
        __builtin_prefetch(words + places[filled], Writing, 2);
        ++filled;
        word = next_touch(word);
      }
    }
    for (std::size_t i = 0; i < filled; ++i) use(places[i]);
  }
}

}  // namespace

TouchedLines::TouchedLines(std::uint64_t bits, std::uint64_t touches)
    : memory_(static_cast<std::size_t>((bits + 511) / 512 * words_a_line)),
      lines_((bits + 511) / 512),
      touches_(std::min<std::uint64_t>(touches, lines_in_flight)) {}

void TouchedLines::insert(const DigestBatch& digests) {
  std::uint64_t* const words = memory_.data();
  for_each_touch<1>(digests, words, lines_, touches_,
                    [words](std::uint64_t place) { words[place] += 2; });
}

std::uint64_t TouchedLines::count_contained(const DigestBatch& digests) const {
  // The lowest bits are never set: nothing is reported, and the compiler does not know.
  const std::uint64_t* const words = memory_.data();
  std::uint64_t count = 0;
  for_each_touch<0>(digests, words, lines_, touches_,
                    [&, words](std::uint64_t place) { count += words[place] & 1; });
  return count;
}

FilterState TouchedLines::state() const {
  const std::uint64_t bits = lines_ * 512;
  return {.bits = bits, .memory_bits = bits, .layers = {{bits, 0, 0, touches_}}};
}

LimitSubject::LimitSubject(const PeerSetup& setup, std::uint64_t touches)
    : lines_(peer_bits(setup.n, setup.bits_per_key), touches),
      hash_(setup.hasher, {.words = 1}, setup.seed) {}

void LimitSubject::insert(const KeyBatch& keys) {
  hash_.for_each_part(keys, [this](const DigestBatch& digests) { lines_.insert(digests); });
}

std::uint64_t LimitSubject::count_contained(const KeyBatch& keys) {
  std::uint64_t count = 0;
  hash_.for_each_part(
      keys, [&](const DigestBatch& digests) { count += lines_.count_contained(digests); });
  return count;
}

std::unique_ptr<Asker> LimitSubject::asker() const {
  return std::make_unique<DigestAsker<TouchedLines>>(lines_, hash_);
}

}  // namespace bloomlab::experiments
