#include "core/filters/folded.hpp"

#include <bit>

#include "core/filters/detail/cell_rounds.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {

std::vector<FoldedRules::Parameters> FoldedRules::examples() {
  return {{.m = 1, .k = 1, .folded_to = 1},
          {.m = 65536, .k = 5, .folded_to = 16384},
          {.m = 20480, .k = 4, .folded_to = 12000},
          {.m = 40009, .k = 5, .folded_to = 40009},
          {.m = 131072, .k = 5, .folded_to = 70001}};
}

std::optional<std::string> FoldedRules::check(const Parameters& p) {
  if (auto fault = detail::range_fault<FoldedRules>(p, "m")) return fault;
  if (auto fault = detail::range_fault<FoldedRules>(p, "k")) return fault;
  if (p.folded_to < 1 || p.folded_to > p.m) {
    return detail::out_of_range(name, "folded_to", p.folded_to, p.m);
  }
  return std::nullopt;
}

Sizing<FoldedRules::Parameters> FoldedRules::sizing(const SizingGoal& goal) {
  const detail::StandardSize size = detail::standard_size(goal);
  if (size.m == 0 || size.m > max_filter_bits / 2) {
    return detail::no_size<Parameters>(detail::too_many_bits);
  }
  const auto make = [k = size.k](std::uint64_t half) {
    return Parameters{.m = 2 * half, .k = k, .folded_to = half};
  };
  return {.traits = {.takes_keys_later = false},
          .shapes = {{1, max_filter_bits / 2, make}},
          .note = "filled at twice the size, then folded once; takes no keys afterwards"};
}

Folded Folded::fold(const Standard& filter, std::uint64_t folded_to) {
  const auto [m, k] = filter.parameters();
  Folded folded({.m = m, .k = k, .folded_to = folded_to}, filter.probe());
  std::uint64_t base = 0;
  for (std::uint64_t word : filter.bits().words()) {
    for (; word != 0; word &= word - 1) {
      folded.array_.set((base + static_cast<std::uint64_t>(std::countr_zero(word))) % folded_to);
    }
    base += 64;
  }
  folded.keys_ = filter.inserted();
  return folded;
}

void FoldedRules::write(const Parameters& p, const Probe& probe, const DigestBatch& digests,
                        std::uint64_t* out) noexcept {
  probe.write(digests, p.m, static_cast<int>(p.k), out);
  for (std::size_t i = 0; i < digests.size * p.k; ++i) out[i] %= p.folded_to;
}

void Folded::insert(const DigestBatch& digests) {
  detail::require_words(digests, probe_, parameters_.k);
  for_each_chunk(digests, [this](std::size_t, const PositionBatch& positions) {
    detail::set_all(array_, positions);
  });
  keys_ += digests.size;
}

// Every bit stands for floor(m / m2) of the m positions, and the first m mod m2 bits for one more.
double FoldedRules::rate_of_cells(const Parameters& p, const BitArray& bits,
                                  std::uint64_t used) noexcept {
  const std::uint64_t longer = p.m % p.folded_to;
  const std::span<const std::uint64_t> words = bits.words();
  std::uint64_t set = count_set_bits(words.first(longer / 64));
  if (longer % 64 != 0) {
    const std::uint64_t below = (std::uint64_t{1} << (longer % 64)) - 1;
    set += static_cast<std::uint64_t>(std::popcount(words[longer / 64] & below));
  }
  return conditional_rate(p.m / p.folded_to * used + set, p.m, p.k);
}

template class CellFilter<FoldedRules>;

}  // namespace bloomlab
