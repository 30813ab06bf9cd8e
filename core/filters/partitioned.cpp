#include "core/filters/partitioned.hpp"

#include <algorithm>
#include <bit>
#include <sstream>

#include "core/filters/detail/fused_probes.hpp"
#include "core/filters/detail/pipelined_rounds.hpp"
#include "core/filters/detail/position_rounds.hpp"
#include "core/filters/detail/remixed_lookups.hpp"
#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"
#include "core/require_places.hpp"
#include "core/simd/batch_tuning.hpp"

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

std::vector<Partitioned::Parameters> Partitioned::examples() {
  return {{.m = 1, .k = 1},     {.m = 64, .k = 64},     {.m = 1000, .k = 7},
          {.m = 4096, .k = 4},  {.m = 19997, .k = 3},   {.m = 50000, .k = 5},
          {.m = 65536, .k = 4}, {.m = 100003, .k = 10}, {.m = 9999, .k = 256}};
}

std::optional<std::string> Partitioned::check(const Parameters& p) {
  if (p.m < 1 || p.m > max_filter_bits)
    return detail::out_of_range(name, "m", p.m, max_filter_bits);
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  if (p.k <= p.m) return std::nullopt;
  std::ostringstream text;
  text << name << ": m is " << p.m << " with k = " << p.k
       << "; every slice needs a bit: choose m of " << p.k << " or more, or a smaller k";
  return text.str();
}

std::optional<std::string> Partitioned::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  const std::uint64_t s = p.m / p.k;
  if (!probe.accepts(s) || (p.m % p.k != 0 && !probe.accepts(s + 1))) {
    std::ostringstream text;
    text << name << ": the reduction " << probe.reduction() << " does not take slices of " << s;
    if (p.m % p.k != 0) text << " and " << s + 1;
    text << " bits; choose multiply_shift or modulo, or m = k times a power of two";
    return text.str();
  }
  return detail::probe_fault(name, probe, s, p.k);
}

int Partitioned::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

std::uint64_t Partitioned::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return BitArray::memory_bits_for(p.m);
}

theory::Query Partitioned::prediction(const Parameters& p, std::uint64_t n) {
  return {"partitioned", {{"m", p.m}, {"n", n}, {"k", p.k}}};
}

theory::UnevenBits Partitioned::uneven_bits(const Parameters& p) {
  return theory::sliced_bits(p.m, p.k);
}

Sizing<Partitioned::Parameters> Partitioned::sizing(const SizingGoal& goal) {
  Sizing<Parameters> sizing;
  for (const std::uint64_t k : detail::probe_counts(goal)) {
    sizing.shapes.push_back(
        {k, max_filter_bits, [k](std::uint64_t m) { return Parameters{.m = m, .k = k}; }});
  }
  return sizing;
}

LinesRead Partitioned::lines(const Parameters& p, std::uint64_t n) {
  return probed_lines(p.m, n, p.k);
}

Partitioned::Partitioned(const Parameters& p, const Probe& probe)
    : parameters_(p), probe_(probe), bits_(detail::require(p.m, check(p, probe))) {}

std::uint64_t Partitioned::slice_begin(std::uint64_t index) const noexcept {
  const std::uint64_t longer = parameters_.m % parameters_.k;
  return index * (parameters_.m / parameters_.k) + std::min(index, longer);
}

// Positions in the array; those for the longer slices replace the first ones.
void Partitioned::write_positions(const DigestBatch& digests, std::uint64_t* out) const noexcept {
  const std::uint64_t k = parameters_.k;
  const std::uint64_t longer = parameters_.m % k;
  const std::size_t size = digests.size;
  probe_.write(digests, parameters_.m / k, static_cast<int>(k), out);
  if (longer != 0) {
    // The i-th position may depend on k, so all k are asked for here too.
    std::array<std::uint64_t, detail::chunk_positions> positions;
    probe_.write(digests, parameters_.m / k + 1, static_cast<int>(k), positions.data());
    std::copy_n(positions.data(), static_cast<std::size_t>(longer) * size, out);
  }
  for (std::uint64_t i = 0; i < k; ++i) {
    const std::uint64_t begin = slice_begin(i);
    std::uint64_t* const plane = out + static_cast<std::size_t>(i) * size;
    for (std::size_t j = 0; j < size; ++j) plane[j] += begin;
  }
}

template <class Use>
void Partitioned::for_each_chunk(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  const auto write = [this](const DigestBatch& chunk, std::uint64_t* out) {
    write_positions(chunk, out);
  };
  detail::for_each_written_chunk(digests, parameters_.k, write, use);
}

// Calls `use(walk)` with the walk through the slices; false where the probe has none.
template <class Use>
bool Partitioned::with_slice_walk(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  const std::uint64_t bits = parameters_.m / parameters_.k;
  const auto longer = static_cast<int>(parameters_.m % parameters_.k);
  return detail::with_walk(probe_, [&](const auto& make_walk) {
    use(detail::SliceWalk(make_walk(digests, bits + 1), make_walk(digests, bits), longer, bits));
  });
}

bool Partitioned::has_kernel() const { return detail::has_remixed_kernel(probe_, parameters_.m); }

simd::RemixedBits Partitioned::remixed() const noexcept {
  return {.m = parameters_.m,
          .k = static_cast<int>(parameters_.k),
          .lookahead = BatchTuning{}.lookahead(bits_.memory_bits() / 8),
          .in_memory = BatchTuning{}.in_memory(bits_.memory_bits() / 8),
          .sliced = true,
          .step = detail::word_step_of(probe_)};
}

void Partitioned::insert(const DigestBatch& digests) {
  if (has_kernel()) {
    detail::require_words(digests, probe_, parameters_.k);
    simd::insert_remixed(remixed(), digests.word(0), bits_.writable_words(), {});
    inserted_ += digests.size;
    return;
  }
  const bool fused = with_slice_walk(digests, [&](const auto& walk) {
    detail::for_each_position(
        walk, digests.size, static_cast<int>(parameters_.k),
        [this](std::uint64_t position) { bits_.prefetch_to_set(position); },
        [this](std::uint64_t position) { bits_.set(position); });
  });
  if (!fused) {
    for_each_chunk(digests, [this](std::size_t, const PositionBatch& positions) {
      detail::set_all(bits_, positions);
    });
  }
  inserted_ += digests.size;
}

void Partitioned::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_places(digests.size, before.size());
  for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    for (std::size_t j = 0; j < positions.size; ++j) {
      const bool changed = detail::set_key(bits_, positions, j);
      before[first + j] = changed ? Answer::absent : Answer::maybe;
    }
  });
  inserted_ += digests.size;
}

// Calls `use(first, keys)` for one chunk after the other: the keys that the filter reports, as
// indices from the chunk's first key on.
template <class Use>
void Partitioned::for_each_contained(const DigestBatch& digests, Use&& use) const {
  if (has_kernel()) {
    detail::require_words(digests, probe_, parameters_.k);
    detail::for_each_remixed(remixed(), bits_.words(), digests, use);
    return;
  }
  const bool fused = with_slice_walk(digests, [&](const auto& walk) {
    detail::for_each_taken(walk, digests.size, static_cast<int>(parameters_.k),
                           detail::BitCells(bits_), detail::probe_lookahead, use);
  });
  if (fused) return;
  for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    const auto taken = [this](std::uint64_t position) { return bits_.test(position); };
    const detail::Survivors survivors = detail::all_taken(positions, taken);
    use(first, survivors.span());
  });
}

void Partitioned::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  std::ranges::fill(out, Answer::absent);
  for_each_contained(digests, [&](std::size_t first, std::span<const std::uint16_t> reported) {
    for (const std::size_t j : reported) out[first + j] = Answer::maybe;
  });
}

std::uint64_t Partitioned::count_contained(const DigestBatch& digests) const {
  if (has_kernel()) {
    detail::require_words(digests, probe_, parameters_.k);
    return simd::count_remixed(remixed(), digests.word(0), bits_.words());
  }
  std::uint64_t count = 0;
  for_each_contained(digests, [&](std::size_t, std::span<const std::uint16_t> reported) {
    count += reported.size();
  });
  return count;
}

bool Partitioned::merge(const Partitioned& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  inserted_ += other.inserted_;
  return bits_.merge(other.bits_);
}

bool Partitioned::intersect(const Partitioned& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  inserted_ = std::min(inserted_, other.inserted_);
  return bits_.intersect(other.bits_);
}

FilterState Partitioned::state() const {
  std::uint64_t bits_set = 0;
  double rate = 1.0;
  for (std::uint64_t i = 0; i < parameters_.k; ++i) {
    const std::uint64_t begin = slice_begin(i);
    const std::uint64_t end = slice_begin(i + 1);
    const std::uint64_t slice_set = count_range(bits_, begin, end);
    bits_set += slice_set;
    rate *= static_cast<double>(slice_set) / static_cast<double>(end - begin);
  }
  return {.bits = parameters_.m,
          .bits_set = bits_set,
          .memory_bits = bits_.memory_bits(),
          .conditional_rate = rate,
          .layers = {{parameters_.m, bits_set, inserted_, parameters_.k}}};
}

void Partitioned::clear() noexcept {
  bits_.clear();
  inserted_ = 0;
}

}  // namespace bloomlab
