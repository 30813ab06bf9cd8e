#include "experiments/kinds/murmur_twins.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>

#include "core/hash/kernel/bytes.hpp"

namespace bloomlab::experiments {
namespace {

/// The inverse of an odd number modulo 2^bits. Three bits of the number itself are right; each step
/// doubles them.
template <std::unsigned_integral Word>
constexpr Word inverse(Word odd) {
  Word result = odd;
  for (int step = 0; step < 5; ++step) result *= Word{2} - odd * result;
  return result;
}

/// How MurmurHash2 scrambles a block.
template <std::unsigned_integral Word>
struct ShiftScramble {
  Word multiplier;
  int shift;  ///< at least half of the bits, so that the shift is its own inverse

  constexpr Word operator()(Word word) const {
    word *= multiplier;
    return (word ^ (word >> shift)) * multiplier;
  }
  constexpr Word undo(Word word) const {
    word *= inverse(multiplier);
    return (word ^ (word >> shift)) * inverse(multiplier);
  }
};

/// How MurmurHash3 scrambles a block.
template <std::unsigned_integral Word>
struct RotateScramble {
  Word before;
  int turn;
  Word after;

  constexpr Word operator()(Word word) const { return std::rotl(word * before, turn) * after; }
  constexpr Word undo(Word word) const {
    return std::rotr(word * inverse(after), turn) * inverse(before);
  }
};

template <class Word>
constexpr Word highest = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));

/// Changes the block at `bytes` so that its scrambled value changes in the bits of `difference`.
template <std::unsigned_integral Word, class Scramble>
void change_block(std::byte* bytes, const Scramble& scramble, Word difference) {
  const Word block = bloomlab::detail::load_rest<Word>(bytes, sizeof(Word));
  const Word changed = scramble.undo(scramble(block) ^ difference);
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[i] = static_cast<std::byte>(changed >> (8 * i) & 0xff);
}

// The state is multiplied by an odd number right before or behind the block, so that the highest
// bit of the first block is the highest bit of the state when the second comes.
template <std::unsigned_integral Word>
void change_murmur2(std::byte* pair, const ShiftScramble<Word>& scramble) {
  change_block(pair, scramble, highest<Word>);
  change_block(pair + sizeof(Word), scramble, highest<Word>);
}

void change_murmur2_32(std::byte* pair) { change_murmur2<std::uint32_t>(pair, {0x5bd1e995U, 24}); }

void change_murmur2_64a(std::byte* pair) {
  change_murmur2<std::uint64_t>(pair, {0xc6a4a7935bd1e995ULL, 47});
}

// The state turns by 13 bits before it is multiplied.
void change_murmur3_32(std::byte* pair) {
  constexpr RotateScramble<std::uint32_t> scramble{0xcc9e2d51U, 15, 0x1b873593U};
  change_block(pair, scramble, std::rotr(highest<std::uint32_t>, 13));
  change_block(pair + 4, scramble, highest<std::uint32_t>);
}

// Blocks of two words, and two words of state: the first turns by 27 and gets the second added, the
// second turns by 31 and gets the first added. The first word's bit is taken out of the second
// within this block, and out of the first by the next one.
void change_murmur3_128(std::byte* pair) {
  constexpr RotateScramble<std::uint64_t> first{0x87c37b91114253d5ULL, 31, 0x4cf5ad432745937fULL};
  constexpr RotateScramble<std::uint64_t> second{0x4cf5ad432745937fULL, 33, 0x87c37b91114253d5ULL};
  change_block(pair, first, std::rotr(highest<std::uint64_t>, 27));
  change_block(pair + 8, second, std::rotr(highest<std::uint64_t>, 31));
  change_block(pair + 16, first, highest<std::uint64_t>);
}

}  // namespace

struct MurmurTwins::Known {
  std::string_view hash;
  std::size_t pair_bytes;
  Change change;
};

const MurmurTwins::Known* MurmurTwins::find(std::string_view hash) {
  static constexpr std::array known = {Known{"murmur3_128", 32, change_murmur3_128},
                                       Known{"murmur3_128_truncated_32", 32, change_murmur3_128},
                                       Known{"murmur3_32", 8, change_murmur3_32},
                                       Known{"murmur2_64a", 16, change_murmur2_64a},
                                       Known{"murmur2_32", 8, change_murmur2_32}};
  const auto* const found = std::ranges::find(known, hash, &Known::hash);
  return found == known.end() ? nullptr : found;
}

bool MurmurTwins::known_for(std::string_view hash) { return find(hash) != nullptr; }

MurmurTwins::MurmurTwins(std::string_view hash, std::uint64_t seed) : random_(seed) {
  const Known* const known = find(known_for(hash) ? hash : "murmur3_128");
  pair_bytes_ = known->pair_bytes;
  change_ = known->change;
}

std::size_t MurmurTwins::key_bytes() const noexcept {
  return pairs * pair_bytes_ + sizeof(std::uint64_t);
}

std::string MurmurTwins::key(std::uint64_t number, std::uint64_t pattern) const {
  std::string key(key_bytes(), '\0');
  auto* const bytes = reinterpret_cast<std::byte*>(key.data());
  const std::uint64_t words = pairs * pair_bytes_ / sizeof(std::uint64_t);
  const auto write = [&](std::uint64_t place, std::uint64_t word) {
    const bloomlab::detail::KeyBytes word_bytes(word);
    std::copy_n(word_bytes.bytes, sizeof word, bytes + place * sizeof word);
  };
  for (std::uint64_t i = 0; i < words; ++i) write(i, random_(number * words + i));
  write(words, number);
  for (unsigned pair = 0; pair < pairs; ++pair) {
    if ((pattern >> pair & 1) != 0) change_(bytes + pair * pair_bytes_);
  }
  return key;
}

}  // namespace bloomlab::experiments
