#include "experiments/k_sliced.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>

#include "core/bits/bit_array.hpp"
#include "core/filters/conditional_rate.hpp"

namespace bloomlab::experiments {
namespace {

using Histogram = std::array<std::uint64_t, 256>;

/// The larger number, without the branch into which compilers turn a store under a condition.
std::uint8_t larger_of(unsigned a, unsigned b) {
  const unsigned a_is_smaller = 0U - (a < b ? 1U : 0U);
  return static_cast<std::uint8_t>(a ^ ((a ^ b) & a_is_smaller));
}

/// How often each byte occurs. Several tables, as equal bytes in a row would wait for each other.
Histogram histogram(std::span<const std::uint64_t> words) {
  std::array<Histogram, 8> tables{};
  for (std::uint64_t word : words) {
    for (Histogram& table : tables) {
      ++table[word & 0xff];
      word >>= 8;
    }
  }
  Histogram sum{};
  for (const Histogram& table : tables) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += table[i];
  }
  return sum;
}

}  // namespace

KSliced::KSliced(std::uint64_t m, std::vector<std::uint64_t> probes, const Hasher& hasher,
                 const Probe& probe, std::uint64_t seed)
    : m_(m),
      probes_(std::move(probes)),
      most_probes_(std::ranges::max(probes_)),
      array_(array_bytes(m) / 8),
      stage_(hasher, probe, m, static_cast<int>(most_probes_), seed),
      reported_(most_probes_ + 1, 0) {
  assert(m <= max_m && most_probes_ <= max_k && probe.prefix_stable());
}

template <class Use>
void KSliced::for_each_part(const KeyBatch& keys, ProbeByProbe::Left later, Use use) {
  for (std::size_t first = 0; first < keys.size(); first += ProbeByProbe::max_batch) {
    stage_.start(keys.slice(first, std::min(ProbeByProbe::max_batch, keys.size() - first)), later);
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
    const std::span<const std::uint64_t> positions = stage_.positions(static_cast<int>(i));
    const std::uint64_t* const place = positions.data();
    for (std::size_t j = 0; j < positions.size(); ++j) {
      __builtin_prefetch(array + place[j + simd::mark_lookahead], 1);
      array[place[j]] = larger_of(array[place[j]], mark);
    }
  }
}

void KSliced::ask_part() {
  const auto* const array = reinterpret_cast<const std::uint8_t*>(array_.data());
  std::uint64_t* smallest = smallest_.data();
  std::uint64_t* kept_smallest = kept_smallest_.data();
  std::fill_n(smallest, stage_.left(), mark_of(0));
  for (std::uint64_t i = 0; i < most_probes_ && stage_.left() != 0; ++i) {
    const std::span<const std::uint64_t> positions = stage_.positions(static_cast<int>(i));
    // The filter with i + 1 probes reports the keys whose marks are all of its own probes.
    const simd::MarkedCount count = simd::keep_marked(array, positions, {stage_.keys(), smallest},
                                                      mark_of(i), {stage_.kept(), kept_smallest});
    reported_[i + 1] += count.at_least;
    stage_.keep(count.left);
    std::swap(smallest, kept_smallest);
  }
}

std::vector<std::uint64_t> KSliced::take_counts() {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t k : probes_) counts.push_back(reported_[k]);
  std::ranges::fill(reported_, 0);
  return counts;
}

std::vector<FilterState> KSliced::states() const {
  const Histogram marks = histogram(array_.words());
  std::vector<std::uint64_t> bits_set(most_probes_ + 1, 0);  // [k]
  for (std::uint64_t k = 1; k <= most_probes_; ++k) {
    bits_set[k] = bits_set[k - 1] + marks[mark_of(k - 1)];
  }
  std::vector<FilterState> states;
  for (const std::uint64_t k : probes_) {
    states.push_back({.bits = m_,
                      .bits_set = bits_set[k],
                      .memory_bits = BitArray::memory_bits_for(m_),
                      .conditional_rate = conditional_rate(bits_set[k], m_, k),
                      .layers = {{m_, bits_set[k], inserted_, k}}});
  }
  return states;
}

}  // namespace bloomlab::experiments
