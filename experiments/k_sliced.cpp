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
void KSliced::for_each_part(const KeyBatch& keys, Use use) {
  for (std::size_t first = 0; first < keys.size(); first += ProbeByProbe::max_batch) {
    stage_.start(keys.slice(first, std::min(ProbeByProbe::max_batch, keys.size() - first)));
    use();
  }
}

void KSliced::insert(const KeyBatch& keys) {
  for_each_part(keys, [this] { insert_part(); });
  inserted_ += keys.size();
}

void KSliced::ask(const KeyBatch& keys) {
  for_each_part(keys, [this] { ask_part(); });
}

void KSliced::insert_part() {
  auto* array = reinterpret_cast<std::uint8_t*>(array_.data());
  for (std::uint64_t i = 0; i < most_probes_; ++i) {
    const std::uint8_t mark = mark_of(i);
    for (const std::uint64_t position : stage_.positions(static_cast<int>(i))) {
      array[position] = std::max(array[position], mark);
    }
  }
}

void KSliced::ask_part() {
  const auto* array = reinterpret_cast<const std::uint8_t*>(array_.data());
  weakest_.assign(stage_.left(), mark_of(0));
  for (std::uint64_t i = 0; i < most_probes_ && stage_.left() != 0; ++i) {
    const std::span<const std::uint64_t> positions = stage_.positions(static_cast<int>(i));
    std::uint64_t* keys = stage_.keys();
    std::uint8_t* weakest = weakest_.data();
    const std::uint8_t last_of_filter = mark_of(i);  // of the filter with i + 1 probes
    std::size_t left = 0;
    std::uint64_t reported = 0;
    for (std::size_t j = 0; j < positions.size(); ++j) {
      const std::uint8_t mark = std::min(weakest[j], array[positions[j]]);
      reported += mark >= last_of_filter ? 1 : 0;
      // Written always and counted only where it holds: no branch that nobody can predict.
      keys[left] = keys[j];
      weakest[left] = mark;
      left += mark != none ? 1 : 0;
    }
    reported_[i + 1] += reported;
    stage_.keep(left);
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
