#include "core/filters/folded.hpp"

#include <algorithm>
#include <bit>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/detail/position_rounds.hpp"
#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"
#include "core/require_places.hpp"

namespace bloomlab {

std::vector<Folded::Parameters> Folded::examples() {
  return {{.m = 1, .k = 1, .folded_to = 1},
          {.m = 65536, .k = 5, .folded_to = 16384},
          {.m = 20480, .k = 4, .folded_to = 12000},
          {.m = 40009, .k = 5, .folded_to = 40009},
          {.m = 131072, .k = 5, .folded_to = 70001}};
}

std::optional<std::string> Folded::check(const Parameters& p) {
  if (auto fault = Standard::check({.m = p.m, .k = p.k})) {
    return std::string(name) + fault->substr(Standard::name.size());
  }
  if (p.folded_to < 1 || p.folded_to > p.m) {
    return detail::out_of_range(name, "folded_to", p.folded_to, p.m);
  }
  return std::nullopt;
}

std::optional<std::string> Folded::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  return detail::probe_fault(name, probe, p.m, p.k);
}

int Folded::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

std::uint64_t Folded::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return BitArray::memory_bits_for(p.folded_to);
}

theory::Query Folded::prediction(const Parameters& p, std::uint64_t n) {
  return {"folding", {{"m", p.m}, {"m2", p.folded_to}, {"n", n}, {"k", p.k}}};
}

theory::UnevenBits Folded::uneven_bits(const Parameters& p) {
  return theory::folded_bits(p.m, p.folded_to, p.k);
}

Sizing<Folded::Parameters> Folded::sizing(const SizingGoal& goal) {
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

LinesRead Folded::lines(const Parameters& p, std::uint64_t n) {
  return probed_lines(p.folded_to, n, p.k);
}

Folded::Folded(const Parameters& p, const Probe& probe)
    : parameters_(p), probe_(probe), bits_(detail::require(p.folded_to, check(p, probe))) {}

Folded Folded::fold(const Standard& filter, std::uint64_t folded_to) {
  const auto [m, k] = filter.parameters();
  Folded folded({.m = m, .k = k, .folded_to = folded_to}, filter.probe());
  std::uint64_t base = 0;
  for (std::uint64_t word : filter.bits().words()) {
    for (; word != 0; word &= word - 1) {
      folded.bits_.set((base + static_cast<std::uint64_t>(std::countr_zero(word))) % folded_to);
    }
    base += 64;
  }
  folded.inserted_ = filter.inserted();
  return folded;
}

template <class Use>
void Folded::for_each_chunk(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  const auto k = static_cast<int>(parameters_.k);
  detail::for_each_written_chunk(
      digests, parameters_.k,
      [&](const DigestBatch& chunk, std::uint64_t* out) {
        probe_.write(chunk, parameters_.m, k, out);
        for (std::size_t i = 0; i < chunk.size * parameters_.k; ++i) out[i] %= bits_.size();
      },
      use);
}

void Folded::insert(const DigestBatch& digests) {
  for_each_chunk(digests, [this](std::size_t, const PositionBatch& positions) {
    detail::set_all(bits_, positions);
  });
  inserted_ += digests.size;
}

void Folded::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  std::ranges::fill(out, Answer::absent);
  for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    const auto reported =
        detail::all_taken(positions, [this](std::uint64_t at) { return bits_.test(at); });
    for (const std::size_t j : reported.span()) out[first + j] = Answer::maybe;
  });
}

std::uint64_t Folded::count_contained(const DigestBatch& digests) const {
  std::uint64_t count = 0;
  for_each_chunk(digests, [&](std::size_t, const PositionBatch& positions) {
    count += detail::all_taken(positions, [this](std::uint64_t at) { return bits_.test(at); }).size;
  });
  return count;
}

// How many of the m positions are at a set bit: every bit stands for floor(m / m2) of them, and the
// first m mod m2 bits for one more.
std::uint64_t Folded::positions_set() const noexcept {
  const std::uint64_t longer = parameters_.m % parameters_.folded_to;
  const std::span<const std::uint64_t> words = bits_.words();
  std::uint64_t set = count_set_bits(words.first(longer / 64));
  if (longer % 64 != 0) {
    const std::uint64_t below = (std::uint64_t{1} << (longer % 64)) - 1;
    set += static_cast<std::uint64_t>(std::popcount(words[longer / 64] & below));
  }
  return parameters_.m / parameters_.folded_to * bits_.popcount() + set;
}

FilterState Folded::state() const {
  const std::uint64_t bits_set = bits_.popcount();
  return {.bits = bits_.size(),
          .bits_set = bits_set,
          .memory_bits = bits_.memory_bits(),
          .conditional_rate = conditional_rate(positions_set(), parameters_.m, parameters_.k),
          .layers = {{bits_.size(), bits_set, inserted_, parameters_.k}}};
}

void Folded::clear() noexcept {
  bits_.clear();
  inserted_ = 0;
}

}  // namespace bloomlab
