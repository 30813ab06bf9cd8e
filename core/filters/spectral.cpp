#include "core/filters/spectral.hpp"

#include <algorithm>

#include "core/filters/detail/cell_rounds.hpp"
#include "core/filters/detail/counter_positions.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {
namespace {

using detail::position;

bool has_second(const Spectral::Parameters& p) {
  return p.method == SpectralMethod::recurring_minimum;
}

std::uint64_t second_counters(const Spectral::Parameters& p) {
  return has_second(p) ? std::max<std::uint64_t>(1, p.m / 2) : 0;
}

unsigned width(const Spectral::Parameters& p) { return static_cast<unsigned>(p.counter_bits); }

void raise(PackedArray& counters, std::uint64_t at, std::uint64_t by) noexcept {
  const std::uint64_t largest = (std::uint64_t{1} << counters.width()) - 1;
  counters.set(at, std::min(counters.get(at) + by, largest));
}

/// Raises each counter of the key, once where two of its positions are one counter: else a key
/// would hide its own smallest counter.
void raise_all(PackedArray& counters, const PositionBatch& positions, std::size_t key,
               std::uint64_t by) noexcept {
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t at = position(positions, i, key);
    bool raised = false;
    for (int before = 0; before < i; ++before) raised |= position(positions, before, key) == at;
    if (!raised) raise(counters, at, by);
  }
}

/// Raises the smallest counters of the key to one more, and no other.
void raise_smallest(PackedArray& counters, const PositionBatch& positions,
                    std::size_t key) noexcept {
  const std::uint64_t smallest = detail::smallest_counter(counters, positions, key);
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t at = position(positions, i, key);
    if (counters.get(at) == smallest) raise(counters, at, 1);
  }
}

/// Whether two different counters of the key have its smallest value.
bool smallest_recurs(const PackedArray& counters, const PositionBatch& positions, std::size_t key,
                     std::uint64_t smallest) noexcept {
  std::uint64_t first = counters.size();
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t at = position(positions, i, key);
    if (counters.get(at) != smallest || at == first) continue;
    if (first != counters.size()) return true;
    first = at;
  }
  return false;
}

/// Digests for the second filter, mixed anew: positions reduced from the same words would meet
/// where they met in the first filter. The mixer is that of splitmix64 (Steele, Lea, Flood 2014).
DigestBatch mixed(const DigestBatch& digests, int words, std::uint64_t* out) noexcept {
  for (int i = 0; i < words; ++i) {
    const std::span<const std::uint64_t> plane = digests.word(i);
    for (std::size_t j = 0; j < digests.size; ++j) {
      std::uint64_t word = plane[j] + 0x9e3779b97f4a7c15U;
      word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
      word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
      out[static_cast<std::size_t>(i) * digests.size + j] = word ^ (word >> 31);
    }
  }
  return {out, digests.size, digests.size, words};
}

}  // namespace

std::vector<SpectralRules::Parameters> SpectralRules::examples() {
  using enum SpectralMethod;
  return {{.m = 16384, .k = 5, .method = minimum_selection},
          {.m = 19997, .k = 4, .method = minimal_increase},
          {.m = 20000, .k = 5, .method = recurring_minimum},
          {.m = 1, .k = 1, .method = recurring_minimum},
          {.m = 65536, .k = 3, .method = recurring_minimum, .counter_bits = 4},
          {.m = 1000, .k = 20, .method = minimal_increase, .counter_bits = 2},
          {.m = 64, .k = 2, .method = minimum_selection, .counter_bits = 32}};
}

std::optional<std::string> SpectralRules::check(const Parameters& p) {
  if (auto fault = detail::range_fault<SpectralRules>(p, "counter_bits")) return fault;
  const std::uint64_t most = max_filter_bits / p.counter_bits;
  if (p.m < 1 || p.m > most) return detail::out_of_range(name, "m", p.m, most);
  return detail::range_fault<SpectralRules>(p, "k");
}

std::optional<std::string> SpectralRules::probe_fault(std::string_view filter, const Parameters& p,
                                                      const Probe& probe) {
  if (auto fault = detail::probe_fault(filter, probe, p.m, p.k)) return fault;
  return has_second(p) ? detail::probe_fault(filter, probe, second_counters(p), p.k) : std::nullopt;
}

Sizing<SpectralRules::Parameters> SpectralRules::sizing(const SizingGoal& goal) {
  constexpr std::uint64_t usual_bits = 16;
  const detail::StandardSize size = detail::standard_size(goal, usual_bits);
  const auto make = [k = size.k](std::uint64_t m) {
    return Parameters{.m = m, .k = k, .counter_bits = usual_bits};
  };
  auto sizing = detail::counter_sizing<Parameters>(goal, size.m, make);
  sizing.note = "also estimates how often a key was inserted";
  return sizing;
}

std::uint64_t Spectral::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return PackedArray::memory_bits_for(p.m, width(p)) +
         PackedArray::memory_bits_for(second_counters(p), width(p));
}

Spectral::Spectral(const Parameters& p, const Probe& probe)
    : CellFilter(p, probe), second_(second_counters(p), width(p)) {}

// Calls `use(first, positions, second)`; `second` is empty where there is no second filter.
template <class Use>
void Spectral::for_each_pair(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  std::array<std::uint64_t, detail::chunk_positions> words;
  std::array<std::uint64_t, detail::chunk_positions> positions;
  const int k = static_cast<int>(parameters_.k);
  const int needed = probe_.need(k).words;
  const auto use_both = [&](std::size_t first, const PositionBatch& in_first) {
    PositionBatch in_second;
    if (second_.size() != 0) {
      const DigestBatch chunk = digests.slice(first, in_first.size);
      probe_.write(mixed(chunk, needed, words.data()), second_.size(), k, positions.data());
      in_second = {positions.data(), in_first.size, k};
    }
    use(first, in_first, in_second);
  };
  for_each_chunk(digests, use_both);
}

void Spectral::insert_key(const PositionBatch& first, const PositionBatch& second,
                          std::size_t key) noexcept {
  if (parameters_.method == SpectralMethod::minimal_increase) {
    raise_smallest(array_, first, key);
    return;
  }
  raise_all(array_, first, key, 1);
  if (parameters_.method != SpectralMethod::recurring_minimum) return;
  const std::uint64_t smallest = detail::smallest_counter(array_, first, key);
  if (smallest_recurs(array_, first, key, smallest)) return;
  const bool known = detail::smallest_counter(second_, second, key) != 0;
  raise_all(second_, second, key, known ? 1 : smallest);
}

void Spectral::insert(const DigestBatch& digests) {
  for_each_pair(digests,
                [this](std::size_t, const PositionBatch& first, const PositionBatch& second) {
                  for (std::size_t j = 0; j < first.size; ++j) insert_key(first, second, j);
                });
  keys_ += digests.size;
}

void Spectral::frequency(const DigestBatch& digests, std::span<std::uint64_t> times) const {
  detail::require_places(digests.size, times.size());
  for_each_pair(digests,
                [&](std::size_t begin, const PositionBatch& first, const PositionBatch& second) {
                  for (std::size_t j = 0; j < first.size; ++j) {
                    const std::uint64_t smallest = detail::smallest_counter(array_, first, j);
                    std::uint64_t& answer = times[begin + j];
                    answer = smallest;
                    if (second_.size() == 0 || smallest_recurs(array_, first, j, smallest))
                      continue;
                    const std::uint64_t again = detail::smallest_counter(second_, second, j);
                    // The first filter is an upper bound: beyond the paper, it also bounds the
                    // second one.
                    if (again != 0) answer = std::min(smallest, again);
                  }
                });
}

FilterState Spectral::state() const {
  FilterState state = CellFilter::state();
  state.memory_bits = memory_bits(parameters_, keys_);
  return state;
}

template class CellFilter<SpectralRules>;

}  // namespace bloomlab
