// Apache Arrow's filter of hash joins: 8 bits per row, words of 64 bits, one of 1024 masks rotated.

#include <array>
#include <bit>
#include <random>

#include "core/theory/loads.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

constexpr int mask_bits = 57;
constexpr std::size_t mask_count = 1024;
constexpr int fewest_set = 4;
constexpr int most_set = 5;

using Bits = std::array<bool, mask_count + mask_bits - 1>;

/// A uniform 64-bit word of two draws, the first above, as libstdc++'s uniform distribution over
/// all words has it; then reduced.
std::uint64_t draw_below(std::mt19937& engine, std::uint64_t below) {
  const std::uint64_t high = engine();
  return (high << 32U | engine()) % below;
}

/// One string of bits of which every window of 57 has four or five: made as Arrow makes it.
Bits mask_string() {
  std::seed_seq seed{0, 0, 0, 0, 0, 0, 0, 0};
  std::mt19937 engine(seed);
  Bits bits{};
  int set = fewest_set + static_cast<int>(draw_below(engine, most_set - fewest_set + 1));
  for (int placed = 0; placed < set;) {
    bool& bit = bits[static_cast<std::size_t>(draw_below(engine, mask_bits))];
    if (bit) continue;
    bit = true;
    ++placed;
  }
  for (std::size_t i = mask_bits; i < bits.size(); ++i) {
    const bool leaving = bits[i - mask_bits];
    if (leaving && set == fewest_set) {
      bits[i] = true;
    } else if (leaving || set != most_set) {
      bits[i] = draw_below(engine, 2 * mask_bits) < fewest_set + most_set;
      set += (bits[i] ? 1 : 0) - (leaving ? 1 : 0);
    }
  }
  return bits;
}

const std::array<std::uint64_t, mask_count>& arrow_masks() {
  static const auto masks = [] {
    const Bits bits = mask_string();
    std::array<std::uint64_t, mask_count> result{};
    for (std::size_t i = 0; i < mask_count; ++i) {
      for (std::size_t bit = 0; bit < mask_bits; ++bit) {
        if (bits[i + bit]) result[i] |= std::uint64_t{1} << bit;
      }
    }
    return result;
  }();
  return masks;
}

}  // namespace

SystemFilter size_arrow(const SystemRequest& request) {
  constexpr std::uint64_t least = 512;
  constexpr std::uint64_t word = 64;
  const std::uint64_t n = request.n();
  const std::uint64_t wanted =
      std::max<std::uint64_t>(detail::whole_bits(request, 8.0 * static_cast<double>(n)), least);
  const std::uint64_t m = std::bit_ceil(wanted);
  SystemFilter filter{.m = m, .k = most_set, .layout = "masked_words"};
  const auto rate_of = [n](double words) {
    return theory::masked_words_fpr(arrow_masks(), words, n);
  };
  filter.rate_unrounded = [=] {
    return rate_of(std::max(static_cast<double>(8 * n) / static_cast<double>(word), 1.0));
  };
  filter.rate = [=] { return rate_of(static_cast<double>(m / word)); };
  filter.remark =
      "masks of 4 or 5 bits; neighbouring masks are shifts of each other, which costs as much "
      "again as short words do";
  return filter;
}

}  // namespace bloomlab::planner
