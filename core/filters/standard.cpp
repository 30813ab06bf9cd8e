#include "core/filters/standard.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/bits/conditional_rate.hpp"
#include "core/filters/detail/fused_probes.hpp"
#include "core/filters/detail/pipelined_rounds.hpp"
#include "core/filters/detail/probe_rounds.hpp"
#include "core/filters/detail/remixed_lookups.hpp"
#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"
#include "core/require_places.hpp"

namespace bloomlab {

std::vector<Standard::Parameters> Standard::examples() {
  return {{.m = 1, .k = 1},     {.m = 64, .k = 256},  {.m = 1000, .k = 1},  {.m = 16384, .k = 7},
          {.m = 19997, .k = 4}, {.m = 20000, .k = 5}, {.m = 65536, .k = 5}, {.m = 40009, .k = 20}};
}

std::optional<std::string> Standard::check(const Parameters& p) {
  if (p.m < 1 || p.m > max_filter_bits)
    return detail::out_of_range(name, "m", p.m, max_filter_bits);
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  return std::nullopt;
}

std::optional<std::string> Standard::check(const Parameters& p, const Probe& probe) {
  if (auto fault = check(p)) return fault;
  return detail::probe_fault(name, probe, p.m, p.k);
}

int Standard::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

std::uint64_t Standard::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return BitArray::memory_bits_for(p.m);
}

theory::Query Standard::prediction(const Parameters& p, std::uint64_t n) {
  return {"standard_exact", {{"m", p.m}, {"n", n}, {"k", p.k}}};
}

Sizing<Standard::Parameters> Standard::sizing(const SizingGoal& goal) {
  const detail::StandardSize size = detail::standard_size(goal);
  if (size.m == 0) return detail::no_size<Parameters>(detail::too_many_bits);
  const auto make = [k = size.k](std::uint64_t m) { return Parameters{.m = m, .k = k}; };
  return {.shapes = {{goal.rate ? size.m : 1, size.m, make}}};
}

LinesRead Standard::lines(const Parameters& p, std::uint64_t n) {
  return probed_lines(p.m, n, p.k);
}

Standard::Standard(const Parameters& p, const Probe& probe, FilterMemory* memory)
    : parameters_(p), probe_(probe), bits_(detail::require(p.m, check(p, probe)), memory) {}

Standard::Standard(const Parameters& p, const Probe& probe, BitArray bits, std::uint64_t inserted)
    : parameters_(detail::require(p, check(p, probe))),
      probe_(probe),
      bits_(std::move(bits)),
      inserted_(inserted) {
  if (bits_.size() == p.m) return;
  throw std::invalid_argument("standard: " + std::to_string(bits_.size()) +
                              " bits were given for m = " + std::to_string(p.m));
}

bool Standard::has_kernel() const { return detail::has_remixed_kernel(probe_, parameters_.m); }

simd::RemixedBits Standard::remixed() const noexcept {
  return {.m = parameters_.m,
          .k = static_cast<int>(parameters_.k),
          .lookahead = tuning_.lookahead(bits_.memory_bits() / 8),
          .in_memory = tuning_.in_memory(bits_.memory_bits() / 8),
          .step = detail::word_step_of(probe_)};
}

void Standard::insert(const DigestBatch& digests) {
  detail::require_words(digests, probe_, parameters_.k);
  if (has_kernel()) {
    simd::insert_remixed(remixed(), digests.word(0), bits_.writable_words(), {});
    inserted_ += digests.size;
    return;
  }
  const bool fused = detail::with_walk(probe_, [&](const auto& make_walk) {
    detail::for_each_position(
        make_walk(digests, parameters_.m), digests.size, static_cast<int>(parameters_.k),
        [this](std::uint64_t position) { bits_.prefetch_to_set(position); },
        [this](std::uint64_t position) { bits_.set(position); });
  });
  if (!fused) {
    detail::for_each_chunk(
        digests, probe_, parameters_.m, parameters_.k,
        [this](std::size_t, const PositionBatch& positions) { detail::set_all(bits_, positions); });
  }
  inserted_ += digests.size;
}

void Standard::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_words(digests, probe_, parameters_.k);
  detail::require_places(digests.size, before.size());
  inserted_ += digests.size;
  if (has_kernel()) {
    simd::insert_remixed(remixed(), digests.word(0), bits_.writable_words(), before);
    return;
  }
  detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k,
                         [&](std::size_t first, const PositionBatch& positions) {
                           for (std::size_t j = 0; j < positions.size; ++j) {
                             const bool changed = detail::set_key(bits_, positions, j);
                             before[first + j] = changed ? Answer::absent : Answer::maybe;
                           }
                         });
}

// Calls `use(first, keys)` for one chunk after the other: the keys that the filter reports, as
// indices from the chunk's first key on.
template <class Use>
void Standard::for_each_contained(const DigestBatch& digests, Use&& use) const {
  detail::require_words(digests, probe_, parameters_.k);
  if (has_kernel()) {
    detail::for_each_remixed(remixed(), bits_.words(), digests, use);
    return;
  }
  const auto k = static_cast<int>(parameters_.k);
  const bool fused = detail::with_walk(probe_, [&](const auto& make_walk) {
    detail::for_each_taken(make_walk(digests, parameters_.m), digests.size, k,
                           detail::BitCells(bits_), detail::probe_lookahead, use);
  });
  if (fused) return;
  detail::for_each_contained(
      digests, bits_, probe_, parameters_.k,
      [&](std::size_t first, const detail::Survivors& reported) { use(first, reported.span()); });
}

void Standard::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  std::ranges::fill(out, Answer::absent);
  for_each_contained(digests, [&](std::size_t first, std::span<const std::uint16_t> reported) {
    for (const std::size_t j : reported) out[first + j] = Answer::maybe;
  });
}

std::uint64_t Standard::count_contained(const DigestBatch& digests) const {
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

bool Standard::merge(const Standard& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  inserted_ += other.inserted_;
  return bits_.merge(other.bits_);
}

bool Standard::intersect(const Standard& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  inserted_ = std::min(inserted_, other.inserted_);
  return bits_.intersect(other.bits_);
}

theory::Query Standard::cardinality(const Parameters& p, std::uint64_t bits_set) {
  return {"cardinality", {{"m", p.m}, {"k", p.k}, {"popcount", bits_set}}};
}

FilterState Standard::state() const {
  const std::uint64_t bits_set = bits_.popcount();
  return {.bits = parameters_.m,
          .bits_set = bits_set,
          .memory_bits = bits_.memory_bits(),
          .conditional_rate = conditional_rate(bits_set, parameters_.m, parameters_.k),
          .layers = {{parameters_.m, bits_set, inserted_, parameters_.k}}};
}

void Standard::clear() noexcept {
  bits_.clear();
  inserted_ = 0;
}

}  // namespace bloomlab
