#include "core/filters/counting.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <sstream>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/detail/counter_positions.hpp"
#include "core/filters/detail/fused_probes.hpp"
#include "core/filters/detail/pipelined_rounds.hpp"
#include "core/filters/detail/position_rounds.hpp"
#include "core/filters/detail/positions_ahead.hpp"
#include "core/filters/detail/remixed_lookups.hpp"
#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"
#include "core/require_places.hpp"
#include "core/simd/batch_tuning.hpp"

namespace bloomlab {
namespace {

constexpr std::array<std::uint64_t, 5> counter_sizes = {2, 3, 4, 8, 16};

/// Counters, as cells that are taken where they are above zero.
class CounterCells {
 public:
  explicit CounterCells(const PackedArray& counters) noexcept : counters_(&counters) {}
  void prefetch(std::uint64_t at) const noexcept { counters_->prefetch(at); }
  [[nodiscard]] bool taken(std::uint64_t at) const noexcept { return counters_->get(at) != 0; }

 private:
  const PackedArray* counters_;
};

}  // namespace

std::vector<Counting::Parameters> Counting::examples() {
  return {{.m = 16384, .k = 7, .counter_bits = 4},
          {.m = 19997, .k = 4, .counter_bits = 2},
          {.m = 20000, .k = 5, .counter_bits = 3},
          {.m = 1000, .k = 3, .counter_bits = 8},
          {.m = 16384, .k = 4, .counter_bits = 8, .overflow = OverflowPolicy::wrap},
          {.m = 20011, .k = 6, .counter_bits = 16, .overflow = OverflowPolicy::report},
          {.m = 64, .k = 2, .counter_bits = 16, .overflow = OverflowPolicy::wrap}};
}

std::optional<std::string> Counting::check(const Parameters& p) {
  if (std::ranges::find(counter_sizes, p.counter_bits) == counter_sizes.end()) {
    std::ostringstream text;
    text << name << ": counter_bits is " << p.counter_bits << "; it must be 2, 3, 4, 8 or 16";
    return text.str();
  }
  const std::uint64_t most = max_filter_bits / p.counter_bits;
  if (p.m < 1 || p.m > most) return detail::out_of_range(name, "m", p.m, most);
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  return std::nullopt;
}

std::optional<std::string> Counting::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  return detail::probe_fault(name, probe, p.m, p.k);
}

int Counting::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

std::uint64_t Counting::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return PackedArray::memory_bits_for(p.m, static_cast<unsigned>(p.counter_bits));
}

theory::Query Counting::prediction(const Parameters& p, std::uint64_t n) {
  return {"standard_exact", {{"m", p.m}, {"n", n}, {"k", p.k}}};
}

Sizing<Counting::Parameters> Counting::sizing(const SizingGoal& goal) {
  constexpr std::uint64_t usual_bits = 4;
  const detail::StandardSize size = detail::standard_size(goal, usual_bits);
  const auto make = [k = size.k](std::uint64_t m) {
    return Parameters{.m = m, .k = k, .counter_bits = usual_bits};
  };
  return detail::counter_sizing<Parameters>(goal, size.m, make);
}

LinesRead Counting::lines(const Parameters& p, std::uint64_t n) {
  return probed_lines(p.m, n, p.k, p.counter_bits);
}

theory::Query Counting::overflow_chance(const Parameters& p, std::uint64_t n) {
  return {"counting_overflow",
          {{"m", p.m}, {"N_hashes", n * p.k}, {"j", std::uint64_t{1} << p.counter_bits}}};
}

theory::Query Counting::cardinality(const Parameters& p, std::uint64_t counters_used) {
  return {"cardinality", {{"m", p.m}, {"k", p.k}, {"popcount", counters_used}}};
}

Counting::Counting(const Parameters& p, const Probe& probe)
    : parameters_(detail::require(p, check(p, probe))),
      probe_(probe),
      counters_(p.m, static_cast<unsigned>(p.counter_bits)),
      largest_((std::uint64_t{1} << p.counter_bits) - 1) {}

// The order does not matter: a counter's end and its overflows depend on how often it is raised.
void Counting::raise_all(const DigestBatch& digests, const detail::PositionRange& range,
                         std::uint64_t& overflows) {
  detail::require_words(digests, probe_, parameters_.k);
  detail::for_each_position_ahead(
      digests, probe_, parameters_.m, parameters_.k, range,
      [this](std::uint64_t at) { counters_.prefetch_to_set(at); },
      [this, &overflows](std::uint64_t at) { raise(at, overflows); });
}

void Counting::insert(const DigestBatch& digests) {
  raise_all(digests, {.all = true}, overflows_);
  stored_ += digests.size;
}

Counting::Share Counting::share(std::size_t index, std::size_t count) const noexcept {
  assert(index < count);
  // So many counters fill whole words, which then only one thread writes to. The product does not
  // overflow: there are less than 2^56 counters, and threads are few.
  constexpr std::uint64_t whole_words = 64;
  const auto begin = [&](std::size_t number) {
    if (number == count) return parameters_.m;
    return parameters_.m * number / count / whole_words * whole_words;
  };
  return {.first = begin(index), .end = begin(index + 1), .counts_keys = index == 0};
}

void Counting::insert(const DigestBatch& digests, Share& share) {
  raise_all(digests, {.first = share.first, .end = share.end}, share.overflows);
  if (share.counts_keys) share.stored += digests.size;
}

void Counting::join(const Share& share) noexcept {
  stored_ += share.stored;
  overflows_ += share.overflows;
}

void Counting::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_words(digests, probe_, parameters_.k);
  detail::require_places(digests.size, before.size());
  detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k,
                         [&](std::size_t first, const PositionBatch& positions) {
                           for (std::size_t j = 0; j < positions.size; ++j) {
                             const bool known =
                                 detail::smallest_counter(counters_, positions, j) != 0;
                             before[first + j] = known ? Answer::maybe : Answer::absent;
                             for (int i = 0; i < positions.k; ++i)
                               raise(detail::position(positions, i, j), overflows_);
                           }
                         });
  stored_ += digests.size;
}

bool Counting::delete_key(const PositionBatch& positions, std::size_t key) noexcept {
  if (detail::smallest_counter(counters_, positions, key) == 0) return false;
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t at = detail::position(positions, i, key);
    const std::uint64_t count = counters_.get(at);
    const bool stuck = count == largest_ && parameters_.overflow == OverflowPolicy::saturate;
    // Zero is met where two of the key's positions are one counter that was lower than two.
    if (count != 0 && !stuck) counters_.set(at, count - 1);
  }
  return true;
}

std::uint64_t Counting::remove(const DigestBatch& digests) {
  detail::require_words(digests, probe_, parameters_.k);
  std::uint64_t deleted = 0;
  detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k,
                         [&](std::size_t, const PositionBatch& positions) {
                           for (std::size_t j = 0; j < positions.size; ++j) {
                             deleted += delete_key(positions, j) ? 1 : 0;
                           }
                         });
  // More can be deleted than were inserted: equal keys share counters that stick.
  stored_ -= std::min(stored_, deleted);
  return deleted;
}

bool Counting::has_kernel() const {
  return std::has_single_bit(parameters_.counter_bits) &&
         detail::has_remixed_kernel(probe_, parameters_.m);
}

simd::RemixedBits Counting::remixed() const noexcept {
  return {.m = parameters_.m,
          .k = static_cast<int>(parameters_.k),
          .lookahead = BatchTuning{}.lookahead(counters_.memory_bits() / 8),
          .in_memory = BatchTuning{}.in_memory(counters_.memory_bits() / 8),
          .cell_width = static_cast<unsigned>(std::countr_zero(parameters_.counter_bits)),
          .step = detail::word_step_of(probe_)};
}

// Calls `use(first, keys)` for one chunk after the other: the keys that the filter reports, as
// indices from the chunk's first key on.
template <class Use>
void Counting::for_each_contained(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  if (has_kernel()) {
    detail::for_each_remixed(remixed(), counters_.words(), digests, use);
    return;
  }
  const bool fused = detail::with_walk(probe_, [&](const auto& make_walk) {
    detail::for_each_taken(make_walk(digests, parameters_.m), digests.size,
                           static_cast<int>(parameters_.k), CounterCells(counters_),
                           detail::probe_lookahead, use);
  });
  if (fused) return;
  const auto used = [this](std::uint64_t at) { return counters_.get(at) != 0; };
  detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k,
                         [&](std::size_t first, const PositionBatch& positions) {
                           const detail::Survivors survivors = detail::all_taken(positions, used);
                           use(first, survivors.span());
                         });
}

void Counting::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  std::ranges::fill(out, Answer::absent);
  for_each_contained(digests, [&](std::size_t first, std::span<const std::uint16_t> reported) {
    for (const std::size_t j : reported) out[first + j] = Answer::maybe;
  });
}

std::uint64_t Counting::count_contained(const DigestBatch& digests) const {
  if (has_kernel()) {
    detail::require_words(digests, probe_, parameters_.k);
    return simd::count_remixed(remixed(), digests.word(0), counters_.words());
  }
  std::uint64_t count = 0;
  for_each_contained(digests, [&](std::size_t, std::span<const std::uint16_t> reported) {
    count += reported.size();
  });
  return count;
}

void Counting::multiplicity(const DigestBatch& digests, std::span<std::uint64_t> times) const {
  detail::require_words(digests, probe_, parameters_.k);
  detail::require_places(digests.size, times.size());
  detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k,
                         [&](std::size_t first, const PositionBatch& positions) {
                           for (std::size_t j = 0; j < positions.size; ++j) {
                             times[first + j] = detail::smallest_counter(counters_, positions, j);
                           }
                         });
}

bool Counting::merge(const Counting& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  bool changed = false;
  for (std::uint64_t i = 0; i < counters_.size(); ++i) {
    const std::uint64_t mine = counters_.get(i);
    const std::uint64_t sum = mine + other.counters_.get(i);
    std::uint64_t count = sum;
    if (sum > largest_) {
      const bool wraps = parameters_.overflow == OverflowPolicy::wrap;
      count = wraps ? sum - largest_ - 1 : largest_;
      overflows_ += wraps ? 1 : sum - largest_;
    }
    changed |= count != mine;
    counters_.set(i, count);
  }
  stored_ += other.stored_;
  overflows_ += other.overflows_;
  return changed;
}

bool Counting::intersect(const Counting& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  bool changed = false;
  for (std::uint64_t i = 0; i < counters_.size(); ++i) {
    const std::uint64_t mine = counters_.get(i);
    const std::uint64_t count = std::min(mine, other.counters_.get(i));
    changed |= count != mine;
    counters_.set(i, count);
  }
  stored_ = std::min(stored_, other.stored_);
  overflows_ += other.overflows_;
  return changed;
}

FilterState Counting::state() const {
  const std::uint64_t used = detail::count_used(counters_);
  return {.bits = parameters_.m,
          .bits_set = used,
          .memory_bits = counters_.memory_bits(),
          .conditional_rate = conditional_rate(used, parameters_.m, parameters_.k),
          .layers = {{parameters_.m, used, stored_, parameters_.k}}};
}

void Counting::clear() noexcept {
  counters_.clear();
  stored_ = 0;
  overflows_ = 0;
}

}  // namespace bloomlab
