#include "core/filters/counting.hpp"

#include <algorithm>
#include <cassert>
#include <sstream>

#include "core/filters/detail/cell_rounds.hpp"
#include "core/filters/detail/counter_positions.hpp"
#include "core/filters/detail/positions_ahead.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {
namespace {

constexpr std::array<std::uint64_t, 5> counter_sizes = {2, 3, 4, 8, 16};

}  // namespace

std::vector<CountingRules::Parameters> CountingRules::examples() {
  return {{.m = 16384, .k = 7, .counter_bits = 4},
          {.m = 19997, .k = 4, .counter_bits = 2},
          {.m = 20000, .k = 5, .counter_bits = 3},
          {.m = 1000, .k = 3, .counter_bits = 8},
          {.m = 16384, .k = 4, .counter_bits = 8, .overflow = OverflowPolicy::wrap},
          {.m = 20011, .k = 6, .counter_bits = 16, .overflow = OverflowPolicy::report},
          {.m = 64, .k = 2, .counter_bits = 16, .overflow = OverflowPolicy::wrap}};
}

std::optional<std::string> CountingRules::check(const Parameters& p) {
  if (std::ranges::find(counter_sizes, p.counter_bits) == counter_sizes.end()) {
    std::ostringstream text;
    text << name << ": counter_bits is " << p.counter_bits << "; it must be 2, 3, 4, 8 or 16";
    return text.str();
  }
  const std::uint64_t most = max_filter_bits / p.counter_bits;
  if (p.m < 1 || p.m > most) return detail::out_of_range(name, "m", p.m, most);
  return detail::range_fault<CountingRules>(p);
}

Sizing<CountingRules::Parameters> CountingRules::sizing(const SizingGoal& goal) {
  constexpr std::uint64_t usual_bits = 4;
  const detail::StandardSize size = detail::standard_size(goal, usual_bits);
  const auto make = [k = size.k](std::uint64_t m) {
    return Parameters{.m = m, .k = k, .counter_bits = usual_bits};
  };
  return detail::counter_sizing<Parameters>(goal, size.m, make);
}

// The order does not matter: a counter's end and its overflows depend on how often it is raised.
void Counting::raise_all(const DigestBatch& digests, const detail::PositionRange& range,
                         std::uint64_t& overflows) {
  detail::require_words(digests, probe_, parameters_.k);
  detail::for_each_position_ahead(
      digests, probe_, parameters_.m, parameters_.k, range,
      [this](std::uint64_t at) __attribute__((always_inline)) { array_.prefetch_to_set(at); },
      [this, &overflows](std::uint64_t at) { raise(at, overflows); });
}

void Counting::insert(const DigestBatch& digests) {
  raise_all(digests, {.all = true}, overflows_);
  keys_ += digests.size;
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
  keys_ += share.stored;
  overflows_ += share.overflows;
}

void Counting::insert(const DigestBatch& digests, std::span<Answer> before) {
  detail::require_words(digests, probe_, parameters_.k);
  detail::require_places(digests.size, before.size());
  for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    for (std::size_t j = 0; j < positions.size; ++j) {
      const bool known = detail::smallest_counter(array_, positions, j) != 0;
      before[first + j] = known ? Answer::maybe : Answer::absent;
      for (int i = 0; i < positions.k; ++i) raise(detail::position(positions, i, j), overflows_);
    }
  });
  keys_ += digests.size;
}

bool Counting::delete_key(const PositionBatch& positions, std::size_t key) noexcept {
  if (detail::smallest_counter(array_, positions, key) == 0) return false;
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t at = detail::position(positions, i, key);
    const std::uint64_t count = array_.get(at);
    const bool stuck = count == largest_ && parameters_.overflow == OverflowPolicy::saturate;
    // Zero is met where two of the key's positions are one counter that was lower than two.
    if (count != 0 && !stuck) array_.set(at, count - 1);
  }
  return true;
}

std::uint64_t Counting::remove(const DigestBatch& digests) {
  detail::require_words(digests, probe_, parameters_.k);
  std::uint64_t deleted = 0;
  for_each_chunk(digests, [&](std::size_t, const PositionBatch& positions) {
    for (std::size_t j = 0; j < positions.size; ++j) {
      deleted += delete_key(positions, j) ? 1 : 0;
    }
  });
  // More can be deleted than were inserted: equal keys share counters that stick.
  keys_ -= std::min<NumberBesideWords>(keys_, deleted);
  return deleted;
}

void Counting::multiplicity(const DigestBatch& digests, std::span<std::uint64_t> times) const {
  detail::require_words(digests, probe_, parameters_.k);
  detail::require_places(digests.size, times.size());
  for_each_chunk(digests, [&](std::size_t first, const PositionBatch& positions) {
    for (std::size_t j = 0; j < positions.size; ++j) {
      times[first + j] = detail::smallest_counter(array_, positions, j);
    }
  });
}

bool Counting::merge(const Counting& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  bool changed = false;
  for (std::uint64_t i = 0; i < array_.size(); ++i) {
    const std::uint64_t mine = array_.get(i);
    const std::uint64_t sum = mine + other.array_.get(i);
    std::uint64_t count = sum;
    if (sum > largest_) {
      const bool wraps = parameters_.overflow == OverflowPolicy::wrap;
      count = wraps ? sum - largest_ - 1 : largest_;
      overflows_ += wraps ? 1 : sum - largest_;
    }
    changed |= count != mine;
    array_.set(i, count);
  }
  keys_ += other.keys_;
  overflows_ += other.overflows_;
  return changed;
}

bool Counting::intersect(const Counting& other) {
  detail::require_mergeable(name, parameters_ == other.parameters_ && probe_ == other.probe_);
  bool changed = false;
  for (std::uint64_t i = 0; i < array_.size(); ++i) {
    const std::uint64_t mine = array_.get(i);
    const std::uint64_t count = std::min(mine, other.array_.get(i));
    changed |= count != mine;
    array_.set(i, count);
  }
  keys_ = std::min(keys_, other.keys_);
  overflows_ += other.overflows_;
  return changed;
}

template class CellFilter<CountingRules>;

}  // namespace bloomlab
