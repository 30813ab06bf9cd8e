#include "core/filters/partitioned.hpp"

#include <array>
#include <bit>
#include <sstream>

#include "core/filters/detail/cell_rounds.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {
namespace {

/// Number of set bits among `begin` .. `end` - 1.
std::uint64_t count_range(const BitArray& bits, std::uint64_t begin, std::uint64_t end) {
  const std::span<const std::uint64_t> words = bits.words();
  const auto first = static_cast<std::size_t>(begin / 64);
  const auto last = static_cast<std::size_t>((end - 1) / 64);
  const std::uint64_t head = ~std::uint64_t{0} << (begin % 64);
  const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) {
    return static_cast<std::uint64_t>(std::popcount(words[first] & head & tail));
  }
  return static_cast<std::uint64_t>(std::popcount(words[first] & head)) +
         count_set_bits(words.subspan(first + 1, last - first - 1)) +
         static_cast<std::uint64_t>(std::popcount(words[last] & tail));
}

}  // namespace

std::vector<PartitionedRules::Parameters> PartitionedRules::examples() {
  return {{.m = 1, .k = 1},     {.m = 64, .k = 64},     {.m = 1000, .k = 7},
          {.m = 4096, .k = 4},  {.m = 19997, .k = 3},   {.m = 50000, .k = 5},
          {.m = 65536, .k = 4}, {.m = 100003, .k = 10}, {.m = 9999, .k = 256}};
}

std::optional<std::string> PartitionedRules::check(const Parameters& p) {
  if (auto fault = detail::range_fault<PartitionedRules>(p)) return fault;
  if (p.k <= p.m) return std::nullopt;
  std::ostringstream text;
  text << name << ": m is " << p.m << " with k = " << p.k
       << "; every slice needs a bit: choose m of " << p.k << " or more, or a smaller k";
  return text.str();
}

std::optional<std::string> PartitionedRules::probe_fault(std::string_view filter,
                                                         const Parameters& p, const Probe& probe) {
  const std::uint64_t s = p.m / p.k;
  if (!probe.accepts(s) || (p.m % p.k != 0 && !probe.accepts(s + 1))) {
    std::ostringstream text;
    text << filter << ": the reduction " << probe.reduction() << " does not take slices of " << s;
    if (p.m % p.k != 0) text << " and " << s + 1;
    text << " bits; choose multiply_shift or modulo, or m = k times a power of two";
    return text.str();
  }
  return detail::probe_fault(filter, probe, s, p.k);
}

Sizing<PartitionedRules::Parameters> PartitionedRules::sizing(const SizingGoal& goal) {
  Sizing<Parameters> sizing;
  for (const std::uint64_t k : detail::probe_counts(goal)) {
    sizing.shapes.push_back(
        {k, max_filter_bits, [k](std::uint64_t m) { return Parameters{.m = m, .k = k}; }});
  }
  return sizing;
}

// Positions for the longer slices replace the first ones.
void PartitionedRules::write(const Parameters& p, const Probe& probe, const DigestBatch& digests,
                             std::uint64_t* out) noexcept {
  const auto k = static_cast<int>(p.k);
  const std::uint64_t longer = p.m % p.k;
  const std::size_t size = digests.size;
  probe.write(digests, p.m / p.k, k, out);
  if (longer != 0) {
    // The i-th position may depend on k, so all k are asked for here too.
    std::array<std::uint64_t, detail::chunk_positions> positions;
    probe.write(digests, p.m / p.k + 1, k, positions.data());
    std::copy_n(positions.data(), static_cast<std::size_t>(longer) * size, out);
  }
  for (std::uint64_t i = 0; i < p.k; ++i) {
    const std::uint64_t begin = slice_begin(p, i);
    std::uint64_t* const plane = out + static_cast<std::size_t>(i) * size;
    for (std::size_t j = 0; j < size; ++j) plane[j] += begin;
  }
}

double PartitionedRules::rate_of_cells(const Parameters& p, const BitArray& bits,
                                       std::uint64_t /*used*/) noexcept {
  double rate = 1.0;
  for (std::uint64_t i = 0; i < p.k; ++i) {
    const std::uint64_t begin = slice_begin(p, i);
    const std::uint64_t end = slice_begin(p, i + 1);
    rate *= static_cast<double>(count_range(bits, begin, end)) / static_cast<double>(end - begin);
  }
  return rate;
}

template class CellFilter<PartitionedRules>;
template class BitFilter<PartitionedRules>;

}  // namespace bloomlab
