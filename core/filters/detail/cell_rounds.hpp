// The loops of core/filters/cell_filter.hpp over batches of keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/filters/cell_filter.hpp"
#include "core/filters/detail/counter_positions.hpp"
#include "core/filters/detail/fused_probes.hpp"
#include "core/filters/detail/pipelined_rounds.hpp"
#include "core/filters/detail/probe_rounds.hpp"
#include "core/filters/detail/remixed_lookups.hpp"
#include "core/require_places.hpp"

namespace bloomlab {
namespace detail {

/// Counters, as cells that are taken where they are above zero.
class CounterCells {
 public:
  explicit CounterCells(const PackedArray& counters) noexcept : counters_(&counters) {}
  [[gnu::always_inline]] void prefetch(std::uint64_t at) const noexcept { counters_->prefetch(at); }
  [[nodiscard]] bool taken(std::uint64_t at) const noexcept { return counters_->get(at) != 0; }

 private:
  const PackedArray* counters_;
};

[[nodiscard]] inline BitCells cells_of(const BitArray& bits) noexcept { return BitCells(bits); }
[[nodiscard]] inline CounterCells cells_of(const PackedArray& counters) noexcept {
  return CounterCells(counters);
}

}  // namespace detail

// Calls `use(walk)` with the walk over the cells; false where the probe has none.
template <class Rules>
template <class Use>
bool CellFilter<Rules>::with_walk(const DigestBatch& digests, Use&& use) const {
  if constexpr (!Rules::fused) return false;
  return detail::with_walk(probe_, [&](const auto& make_walk) {
    use(Rules::walk(parameters_, [&](std::uint64_t m) { return make_walk(digests, m); }));
  });
}

template <class Rules>
template <class Use>
void CellFilter<Rules>::for_each_chunk(const DigestBatch& digests, Use&& use) const {
  if constexpr (Rules::writes_positions) {
    const auto write = [this](const DigestBatch& chunk, std::uint64_t* out) {
      Rules::write(parameters_, probe_, chunk, out);
    };
    detail::for_each_written_chunk(digests, parameters_.k, write, use);
  } else {
    detail::for_each_chunk(digests, probe_, parameters_.m, parameters_.k, use);
  }
}

template <class Rules>
std::optional<simd::RemixedBits> CellFilter<Rules>::kernel() const {
  std::optional<simd::RemixedBits> kernel = Rules::kernel(parameters_);
  if (!kernel || !detail::has_remixed_kernel(probe_, parameters_.m)) return std::nullopt;
  const std::uint64_t memory = array_.memory_bits() / 8;
  kernel->lookahead = tuning_.lookahead(memory);
  kernel->in_memory = tuning_.in_memory(memory);
  kernel->lookups_ask = tuning_.far_in_memory(memory);
  kernel->narrow_lookups_ask = tuning_.far_for_narrow(memory);
  kernel->step = detail::word_step_of(probe_);
  return kernel;
}

// Calls `use(first, keys)` for one chunk after the other: the keys that the filter reports, as
// indices from the chunk's first key on. For probes without a kernel.
template <class Rules>
template <class Use>
void CellFilter<Rules>::for_each_contained(const DigestBatch& digests, Use&& use) const {
  const auto cells = detail::cells_of(array_);
  const bool walked = with_walk(digests, [&](const auto& walk) {
    detail::for_each_taken(walk, digests.size, static_cast<int>(parameters_.k), cells,
                           detail::probe_lookahead, use);
  });
  if (walked) return;
  if constexpr (has_bits && !Rules::writes_positions) {
    detail::for_each_contained(
        digests, array_, probe_, parameters_.k,
        [&](std::size_t first, const detail::Survivors& reported) { use(first, reported.span()); });
  } else {
    for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
      const auto taken = [&cells](std::uint64_t at) { return cells.taken(at); };
      detail::Survivors survivors = detail::all_keys(positions.size);
      detail::drop_absent(taken, positions, 0, survivors);
      use(first, survivors.span());
    });
  }
}

template <class Rules>
void CellFilter<Rules>::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  detail::require_words(digests, probe_, parameters_.k);
  if (const auto kernel = this->kernel()) {
    return simd::find_remixed(*kernel, digests.word(0), array_.words(), out);
  }
  std::ranges::fill(out, Answer::absent);
  for_each_contained(digests, [&](std::size_t first, std::span<const std::uint16_t> reported) {
    for (const std::size_t j : reported) out[first + j] = Answer::maybe;
  });
}

template <class Rules>
std::uint64_t CellFilter<Rules>::count_contained(const DigestBatch& digests) const {
  detail::require_words(digests, probe_, parameters_.k);
  if (const auto kernel = this->kernel()) {
    return simd::count_remixed(*kernel, digests.word(0), array_.words());
  }
  std::uint64_t count = 0;
  for_each_contained(digests, [&](std::size_t, std::span<const std::uint16_t> reported) {
    count += reported.size();
  });
  return count;
}

template <class Rules>
FilterState CellFilter<Rules>::state() const {
  std::uint64_t used = 0;
  if constexpr (has_bits) {
    used = array_.popcount();
  } else {
    used = detail::count_used(array_);
  }
  const std::uint64_t cells = Rules::cells(parameters_);
  return {.bits = cells,
          .bits_set = used,
          .memory_bits = array_.memory_bits(),
          .conditional_rate = Rules::rate_of_cells(parameters_, array_, used),
          .layers = {{cells, used, keys_, parameters_.k}}};
}

template <class Rules>
void BitFilter<Rules>::insert(const DigestBatch& digests) {
  detail::require_words(digests, this->probe_, this->parameters_.k);
  BitArray& bits = this->array_;
  this->keys_ += digests.size;
  if (const auto kernel = this->kernel()) {
    simd::insert_remixed(*kernel, digests.word(0), bits.writable_words(), {});
    return;
  }
  const bool walked = this->with_walk(digests, [&](const auto& walk) {
    detail::for_each_position(
        walk, digests.size, static_cast<int>(this->parameters_.k),
        [&bits](std::uint64_t position)
            __attribute__((always_inline)) { bits.prefetch_to_set(position); },
        [&bits](std::uint64_t position) { bits.set(position); });
  });
  if (walked) return;
  this->for_each_chunk(digests, [&bits](std::size_t, const PositionBatch& positions) {
    detail::set_all(bits, positions);
  });
}

template <class Rules>
void BitFilter<Rules>::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_words(digests, this->probe_, this->parameters_.k);
  detail::require_places(digests.size, before.size());
  BitArray& bits = this->array_;
  this->keys_ += digests.size;
  if (const auto kernel = this->kernel()) {
    simd::insert_remixed(*kernel, digests.word(0), bits.writable_words(), before);
    return;
  }
  this->for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    for (std::size_t j = 0; j < positions.size; ++j) {
      const bool changed = detail::set_key(bits, positions, j);
      before[first + j] = changed ? Answer::absent : Answer::maybe;
    }
  });
}

template <class Rules>
bool BitFilter<Rules>::merge_share(const BitFilter& other, std::size_t index, std::size_t count) {
  detail::require_mergeable(Rules::name,
                            this->parameters_ == other.parameters_ && this->probe_ == other.probe_);
  if (index == 0) this->keys_ += other.keys_;
  return this->array_.merge_share(other.array_, index, count);
}

template <class Rules>
bool BitFilter<Rules>::intersect(const BitFilter& other) {
  detail::require_mergeable(Rules::name,
                            this->parameters_ == other.parameters_ && this->probe_ == other.probe_);
  this->keys_ = std::min(this->keys_, other.keys_);
  return this->array_.intersect(other.array_);
}

}  // namespace bloomlab
