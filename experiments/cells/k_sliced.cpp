#include "experiments/cells/k_sliced.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>

#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"
#include "core/simd/batch_tuning.hpp"

namespace bloomlab::experiments {
namespace {

/// The larger number, without the branch into which compilers turn a store under a condition.
std::uint8_t larger_of(unsigned a, unsigned b) {
  const unsigned a_is_smaller = 0U - (a < b ? 1U : 0U);
  return static_cast<std::uint8_t>(a ^ ((a ^ b) & a_is_smaller));
}

}  // namespace

KSliced::KSliced(std::uint64_t m, std::vector<std::uint64_t> probes, const Hasher& hasher,
                 const Probe& probe, std::uint64_t seed, ProbeByProbe::Takes takes)
    : m_(m),
      probes_(std::move(probes)),
      most_probes_(std::ranges::max(probes_)),
      array_(array_bytes(m) / 8),
      stage_(hasher, probe, m, static_cast<int>(most_probes_), seed, takes),
      reported_(most_probes_ + 1, 0) {
  assert(m <= max_m && most_probes_ <= max_k && probe.prefix_stable());
}

template <class Use>
void KSliced::for_each_part(const KeyBatch& keys, ProbeByProbe::Left later, Use use) {
  const std::span<const std::uint64_t> values = keys.values();
  for (std::size_t first = 0; first < keys.size(); first += ProbeByProbe::max_batch) {
    stage_.start(keys.slice(first, std::min(ProbeByProbe::max_batch, keys.size() - first)), later);
    // The part after this one, which may stand in memory since another size has asked for it.
    constexpr std::size_t words_a_line = 8;
    const std::size_t next = std::min(first + ProbeByProbe::max_batch, values.size());
    const std::size_t end = std::min(next + ProbeByProbe::max_batch, values.size());
    for (std::size_t i = next; i < end; i += words_a_line) {
      __builtin_prefetch(values.data() + i, 0, 2);
    }
    use();
  }
}

void KSliced::insert(const KeyBatch& keys) {
  for_each_part(keys, ProbeByProbe::Left::all, [this] { insert_part(); });
  inserted_ += keys.size();
}

void KSliced::ask(const KeyBatch& keys) {
  for_each_part(keys, ProbeByProbe::Left::ever_fewer, [this] { ask_part(); });
}

void KSliced::insert_part() {
  auto* const array = reinterpret_cast<std::uint8_t*>(array_.data());
  for (std::uint64_t i = 0; i < most_probes_; ++i) {
    const std::uint8_t mark = mark_of(i);
    const std::span<const std::uint64_t> positions = stage_.positions(static_cast<int>(i), 1);
    const std::uint64_t* const place = positions.data();
    for (std::size_t j = 0; j < positions.size(); ++j) {
      __builtin_prefetch(array + place[j + simd::mark_lookahead], 1);
      array[place[j]] = larger_of(array[place[j]], mark);
    }
  }
}

std::size_t KSliced::probes_at_once(std::uint64_t asked) const {
  // Several probes at once save packing the keys in between, and hash some keys in vain.
  constexpr double worth_four = 0.85;
  constexpr double worth_two = 0.65;
  std::size_t count = survival_ >= worth_four  ? simd::max_marks_met
                      : survival_ >= worth_two ? 2
                                               : 1;
  while (count > most_probes_ - asked) count /= 2;
  return count;
}

void KSliced::note_survival(std::size_t asked, std::size_t left, std::size_t probes) {
  constexpr std::size_t enough_to_tell = 128;
  if (asked < enough_to_tell) return;
  survival_ = static_cast<double>(left) / static_cast<double>(asked);
  for (std::size_t root = probes; root > 1; root /= 2) survival_ = std::sqrt(survival_);
}

void KSliced::ask_part() {
  const auto* const array = reinterpret_cast<const std::uint8_t*>(array_.data());
  std::uint64_t* smallest = smallest_.data();
  std::uint64_t* kept_smallest = kept_smallest_.data();
  const bool in_memory = 8 * array_.words().size() > BatchTuning{}.shared_bytes;
  std::fill_n(smallest, stage_.left(), mark_of(0));
  for (std::uint64_t i = 0; i < most_probes_ && stage_.left() != 0;) {
    const std::size_t probes = probes_at_once(i);
    const std::size_t keys = stage_.left();
    const auto positions = stage_.positions(static_cast<int>(i), static_cast<int>(probes));
    const simd::MarkedCount count =
        simd::keep_marked(array, {positions.data(), keys, probes, in_memory},
                          {stage_.keys(), smallest}, mark_of(i), {stage_.kept(), kept_smallest});
    // The filter with i + 1 probes reports the keys whose marks are all of its own probes.
    for (std::size_t next = 0; next < probes; ++next) {
      reported_[i + next + 1] += count.at_least[next];
    }
    note_survival(keys, count.left, probes);
    stage_.keep(count.left);
    std::swap(smallest, kept_smallest);
    i += probes;
  }
}

std::vector<std::uint64_t> KSliced::take_counts() {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t k : probes_) counts.push_back(reported_[k]);
  std::ranges::fill(reported_, 0);
  return counts;
}

std::vector<FilterState> KSliced::states() const {
  const auto* const array = reinterpret_cast<const std::uint8_t*>(array_.data());
  std::vector<std::uint64_t> bits_set(most_probes_);  // [k - 1]
  simd::count_marks({array, static_cast<std::size_t>(m_)}, mark_of(0), bits_set);
  std::vector<FilterState> states;
  for (const std::uint64_t k : probes_) {
    states.push_back({.bits = m_,
                      .bits_set = bits_set[k - 1],
                      .memory_bits = BitArray::memory_bits_for(m_),
                      .conditional_rate = conditional_rate(bits_set[k - 1], m_, k),
                      .layers = {{m_, bits_set[k - 1], inserted_, k}}});
  }
  return states;
}

}  // namespace bloomlab::experiments
