#include "experiments/k_sliced.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>

#include "core/bits/bit_array.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/filters/conditional_rate.hpp"
#include "core/parameters.hpp"
#include "experiments/bit_counter.hpp"
#include "experiments/k_sliced_probes.hpp"

namespace bloomlab::experiments {
namespace {

/// Bit j of a word belongs to the filter with probes[j] probes.
template <class Word>
class KSlicedOf final : public KSliced {
 public:
  KSlicedOf(std::uint64_t m, const std::vector<std::uint64_t>& probes, const Hasher& hasher,
            const Probe& probe, std::uint64_t seed)
      : m_(m),
        probes_(probes),
        array_(array_bytes(m, probes.size()) / sizeof(std::uint64_t)),
        stage_(hasher, probe, m, static_cast<int>(probes.back()), seed) {
    for (std::uint64_t i = 0; i <= probes.back(); ++i) {
      Word mask = 0;
      for (std::size_t j = 0; j < probes.size(); ++j) {
        if (probes[j] > i) mask = static_cast<Word>(mask | (Word{1} << j));
      }
      more_than_.push_back(mask);
    }
  }

  void insert(const KeyBatch& keys) override {
    for_each_part(keys, [this](const KeyBatch& part) { insert_part(part); });
    inserted_ += keys.size();
  }

  void ask(const KeyBatch& keys) override {
    for_each_part(keys, [this](const KeyBatch& part) { ask_part(part); });
  }

  std::vector<std::uint64_t> take_counts() override {
    const auto totals = reported_.totals();
    reported_ = {};
    return {totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(probes_.size())};
  }

  std::vector<FilterState> states() const override {
    BitCounter<Word> counter;
    counter.add({words(), static_cast<std::size_t>(m_)});
    const auto totals = counter.totals();
    std::vector<FilterState> states;
    for (std::size_t j = 0; j < probes_.size(); ++j) {
      states.push_back({.bits = m_,
                        .bits_set = totals[j],
                        .memory_bits = BitArray::memory_bits_for(m_),
                        .conditional_rate = conditional_rate(totals[j], m_, probes_[j]),
                        .layers = {{m_, totals[j], inserted_, probes_[j]}}});
    }
    return states;
  }

 private:
  // The array is of 64-bit words; the smaller words in it are reached as the type that they are
  // made as.
  [[nodiscard]] Word* words() noexcept { return reinterpret_cast<Word*>(array_.data()); }
  [[nodiscard]] const Word* words() const noexcept {
    return reinterpret_cast<const Word*>(array_.data());
  }

  template <class Use>
  void for_each_part(const KeyBatch& keys, Use use) {
    for (std::size_t first = 0; first < keys.size(); first += stage_.batch_size()) {
      use(keys.slice(first, std::min(stage_.batch_size(), keys.size() - first)));
    }
  }

  /// Every key of the part stands at its own place.
  void start(const KeyBatch& part) {
    stage_.start(part);
    places_.resize(part.size());
    std::iota(places_.begin(), places_.end(), 0U);
  }

  void insert_part(const KeyBatch& part) {
    start(part);
    Word* array = words();
    for (std::size_t i = 0; i < probes_.back(); ++i) {
      const Word mask = more_than_[i];
      for (const std::uint64_t position : stage_.positions(static_cast<int>(i), places_)) {
        array[position] |= mask;
      }
    }
  }

  void ask_part(const KeyBatch& part) {
    start(part);
    maybe_.assign(part.size(), more_than_[0]);
    answered_.resize(part.size());
    std::size_t answered = 0;
    for (std::size_t i = 0; i < probes_.back() && !places_.empty(); ++i) {
      answered += probe_once(i, stage_.positions(static_cast<int>(i), places_),
                             std::span(answered_).subspan(answered));
    }
    reported_.add(std::span(answered_).first(answered));
  }

  /// Takes probe i of the keys that are left, and keeps those that need another. The answers of the
  /// others go to `out`, unless all filters said no. @return number of answers
  std::size_t probe_once(std::size_t i, std::span<const std::uint64_t> positions,
                         std::span<Word> out) {
    const Word* array = words();
    const Word settled = static_cast<Word>(~more_than_[i]);
    const Word unsettled = more_than_[i + 1];
    std::size_t left = 0;
    std::size_t answers = 0;
    for (std::size_t j = 0; j < positions.size(); ++j) {
      const Word maybe = static_cast<Word>(maybe_[j] & (array[positions[j]] | settled));
      const bool again = (maybe & unsettled) != 0;
      // Written always and counted only where it holds: no branch that nobody can predict. There
      // is room: left <= j, and answers so far are of keys before j.
      places_[left] = places_[j];
      maybe_[left] = maybe;
      left += again ? 1 : 0;
      out[answers] = maybe;
      answers += !again && maybe != 0 ? 1 : 0;
    }
    places_.resize(left);
    maybe_.resize(left);
    return answers;
  }

  std::uint64_t m_;
  std::vector<std::uint64_t> probes_;
  std::vector<Word> more_than_;  // [i]: the filters with more than i probes
  ZeroedMemory array_;
  ProbeByProbe stage_;
  std::uint64_t inserted_ = 0;
  BitCounter<Word> reported_;
  std::vector<std::uint32_t> places_;  // of the keys that are left
  std::vector<Word> maybe_;            // the filters that still report them
  std::vector<Word> answered_;
};

}  // namespace

std::uint64_t KSliced::array_bytes(std::uint64_t m, std::size_t filters) {
  const std::uint64_t word = filters <= 32 ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  if (m > std::numeric_limits<std::uint64_t>::max() / 16) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return (m * word + 7) / 8 * 8;
}

std::unique_ptr<KSliced> make_k_sliced(std::uint64_t m, const std::vector<std::uint64_t>& probes,
                                       const Hasher& hasher, const Probe& probe,
                                       std::uint64_t seed) {
  if (probes.size() <= 32) {
    return std::make_unique<KSlicedOf<std::uint32_t>>(m, probes, hasher, probe, seed);
  }
  return std::make_unique<KSlicedOf<std::uint64_t>>(m, probes, hasher, probe, seed);
}

}  // namespace bloomlab::experiments
