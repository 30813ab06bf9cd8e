#include "formats/evenness.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bloomlab::formats {
namespace {

constexpr std::uint64_t word_bits = 64;
constexpr std::uint64_t parts = 64;

/// Set positions of a class, of those that there are.
struct Class {
  double set = 0.0;
  double all = 0.0;
};

/// Chi-squared of classes against their common fill, standardised (Wilson, Hilferty 1931, "The
/// distribution of chi-square"). @param spread variance of a class, relative to the binomial one
double surprise(const std::vector<Class>& classes, double fill, double spread) {
  double sum = 0.0;
  for (const Class& one : classes) {
    const double distance = one.set - one.all * fill;
    sum += distance * distance / (one.all * fill * (1.0 - fill) * spread);
  }
  const double freedom = static_cast<double>(classes.size()) - 1.0;
  const double part = 2.0 / (9.0 * freedom);
  return (std::cbrt(sum / freedom) - (1.0 - part)) / std::sqrt(part);
}

std::string fills_of(const std::vector<Class>& classes) {
  const auto fill = [](const Class& one) { return one.set / one.all; };
  const auto [low, high] = std::ranges::minmax(classes, {}, fill);
  const auto text = [&](const Class& one) {
    return std::to_string(static_cast<int>(std::lround(100.0 * fill(one)))) + " %";
  };
  return text(low) + " to " + text(high);
}

/// Set positions by their remainder modulo 64 (256 in blocks).
std::vector<Class> by_remainder(const StoredBits& bits, std::uint64_t positions,
                                std::uint64_t classes) {
  std::vector<Class> found(classes);
  const std::uint64_t whole = positions / classes * classes;  // every class has as many
  for (std::uint64_t word = 0; word < whole / word_bits; ++word) {
    const std::uint64_t first = word * word_bits % classes;
    for (std::uint64_t rest = bits.words[word]; rest != 0; rest &= rest - 1) {
      found[first + static_cast<std::uint64_t>(std::countr_zero(rest))].set += 1.0;
    }
  }
  for (Class& one : found) one.all = static_cast<double>(whole / classes);
  return found;
}

struct Units {
  std::vector<Class> parts;
  double spread = 1.0;  ///< variance of a unit's set bits, relative to the binomial one
};

/// Set positions by 64 parts of the filter, in units of a word or a block: keys of one block make
/// blocks differ by more than chance of single bits.
Units by_part(const StoredBits& bits, std::uint64_t positions, std::uint64_t unit_words) {
  const std::uint64_t units = positions / word_bits / unit_words;
  Units found{std::vector<Class>(parts)};
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    double set = 0.0;
    for (std::uint64_t i = 0; i < unit_words; ++i) {
      set += std::popcount(bits.words[unit * unit_words + i]);
    }
    Class& part = found.parts[static_cast<std::size_t>(static_cast<double>(unit) * parts /
                                                       static_cast<double>(units))];
    part.set += set;
    part.all += static_cast<double>(unit_words * word_bits);
    sum += set;
    squares += set * set;
  }
  const auto count = static_cast<double>(units);
  const double mean = sum / count;
  const double fill = mean / static_cast<double>(unit_words * word_bits);
  found.spread =
      std::max(1.0, (squares / count - mean * mean) /
                        (static_cast<double>(unit_words * word_bits) * fill * (1.0 - fill)));
  return found;
}

/// The end of the bits, where none is set and by chance some would be.
std::optional<std::string> empty_end(const StoredBits& bits, std::uint64_t positions, double fill) {
  std::uint64_t last = bits.words.size();
  while (last > 0 && bits.words[last - 1] == 0) --last;
  const double end = static_cast<double>(positions) - static_cast<double>(last * word_bits);
  // Keys of one block stand together: of theirs, at most 8 bits are set for one key.
  const double draws = fill * end / (bits.layout == Layout::split_block ? 8.0 : 1.0);
  if (draws < 30.0) return std::nullopt;
  return "no bit is set from position " + std::to_string(last * word_bits) +
         " on: the hash does not reach it, or the end was lost";
}

/// Whether every block is as the first.
bool blocks_are_equal(const StoredBits& bits) {
  const std::size_t block_words = 4;
  if (bits.words.size() <= block_words) return false;
  for (std::size_t i = block_words; i < bits.words.size(); ++i) {
    if (bits.words[i] != bits.words[i - block_words]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> unevenness(const StoredBits& bits) {
  constexpr double surprising = 6.0;  // standard deviations; doubled where steps are correlated
  const bool blocks = bits.layout == Layout::split_block;
  const std::uint64_t positions = bits.reachable != 0 ? bits.reachable : bits.m;
  double set = 0.0;
  for (std::size_t i = 0; i < bits.words.size(); ++i) set += std::popcount(bits.words[i]);
  const double fill = set / static_cast<double>(positions);
  if (fill <= 0.0 || fill >= 1.0) return std::nullopt;
  if (blocks && blocks_are_equal(bits)) {
    return "all blocks are equal: its writer has one block for all";
  }
  if (auto end = empty_end(bits, positions, fill)) return end;
  const double enough = 20.0 / std::min(fill, 1.0 - fill);  // positions of a class

  // Of a key's positions, those a multiple of 64 steps apart have one remainder.
  const std::uint64_t remainders = blocks ? 256 : word_bits;
  const double spread = blocks ? 1.0 : 1.0 + 3.0 * static_cast<double>(bits.k - 1) / 64.0;
  if (static_cast<double>(positions / remainders) >= enough) {
    const std::vector<Class> classes = by_remainder(bits, positions, remainders);
    if (surprise(classes, fill, spread) > surprising) {
      return "positions are uneven: by their remainder modulo " + std::to_string(remainders) +
             " their fill is " + fills_of(classes) + "; a wrong step of the hash, or damage";
    }
  }
  const std::uint64_t unit_words = blocks ? 4 : 1;
  if (static_cast<double>(positions / parts) < enough ||
      positions / word_bits / unit_words < 8 * parts) {
    return std::nullopt;
  }
  const Units units = by_part(bits, positions, unit_words);
  if (surprise(units.parts, fill, units.spread) > surprising) {
    return "positions are uneven: in 64 parts of the filter their fill is " +
           fills_of(units.parts) + "; damage, or a hash that prefers some positions";
  }
  return std::nullopt;
}

}  // namespace bloomlab::formats
