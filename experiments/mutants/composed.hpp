// Defects of filters that are put together from others: slices, layers, counters, filters in a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/counting.hpp"
#include "core/filters/scalable.hpp"
#include "core/filters/standard.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "experiments/mutants/keyed_mutant.hpp"

namespace bloomlab::experiments {

/// The partitioned filter, each slice of which begins `overlap` bits before the one before ends.
/// With overlap 0 it has the same bits and answers as core's Partitioned.
template <std::uint64_t overlap>
class OverlappingSlices {
 public:
  OverlappingSlices(std::uint64_t m, std::uint64_t k) : bits_(m), k_(k) {}

  void insert(const DigestBatch& digests) {
    for (std::uint64_t i = 0; i < k_; ++i) {
      for (const std::uint64_t word : digests.word(static_cast<int>(i))) {
        bits_.set(position(word, i));
      }
    }
    inserted_ += digests.size;
  }

  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    std::uint64_t count = 0;
    for (std::size_t j = 0; j < digests.size; ++j) {
      std::uint64_t i = 0;
      while (i < k_ && bits_.test(position(digests.word(static_cast<int>(i))[j], i))) ++i;
      count += i == k_ ? 1 : 0;
    }
    return count;
  }

  /// The slices are taken to be where they should be.
  [[nodiscard]] FilterState state() const {
    double rate = 1.0;
    for (std::uint64_t i = 0; i < k_; ++i) {
      std::uint64_t slice_set = 0;
      for (std::uint64_t bit = begin(i); bit < begin(i) + size(i); ++bit) {
        slice_set += bits_.test(bit) ? 1 : 0;
      }
      rate *= static_cast<double>(slice_set) / static_cast<double>(size(i));
    }
    const std::uint64_t bits_set = bits_.popcount();
    return {.bits = bits_.size(),
            .bits_set = bits_set,
            .memory_bits = bits_.memory_bits(),
            .conditional_rate = rate,
            .layers = {{bits_.size(), bits_set, inserted_, k_}}};
  }

  [[nodiscard]] const BitArray& bits() const& noexcept { return bits_; }
  void bits() const&& = delete;

 private:
  [[nodiscard]] std::uint64_t size(std::uint64_t slice) const noexcept {
    return bits_.size() / k_ + (slice < bits_.size() % k_ ? 1 : 0);
  }
  [[nodiscard]] std::uint64_t begin(std::uint64_t slice) const noexcept {
    return slice * (bits_.size() / k_) + std::min(slice, bits_.size() % k_);
  }
  [[nodiscard]] std::uint64_t position(std::uint64_t word, std::uint64_t slice) const noexcept {
    return begin(slice) - slice * overlap + multiply_high(word, size(slice));
  }

  BitArray bits_;
  std::uint64_t k_;
  std::uint64_t inserted_ = 0;
};

/// The scalable filter, which loses the key that opens a layer.
class BoundaryKeyLost {
 public:
  explicit BoundaryKeyLost(Scalable filter)
      : filter_(std::move(filter)),
        capacity_(filter_.parameters().first_capacity),
        room_(capacity_) {}

  void insert(const DigestBatch& digests) {
    std::size_t first = 0;
    while (digests.size - first > room_) {
      const auto fitting = static_cast<std::size_t>(room_);
      filter_.insert(digests.slice(first, fitting));
      first += fitting + 1;
      capacity_ *= filter_.parameters().growth;
      room_ = capacity_;
    }
    filter_.insert(digests.slice(first, digests.size - first));
    room_ -= digests.size - first;
  }

  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return filter_.count_contained(digests);
  }
  [[nodiscard]] FilterState state() const { return filter_.state(); }

 private:
  Scalable filter_;
  std::uint64_t capacity_;  // of the last layer [keys]
  std::uint64_t room_;      // keys that it still takes
};

/// A counting filter with a life before it is asked: every key arrives four times, and when all
/// have come, each leaves three times. The keys stay inserted keys.
class BusyCounting final : public Implementation {
 public:
  BusyCounting(Counting filter, DigestNeed need, std::uint64_t seed)
      : filter_(Erasable{std::move(filter)}, need, seed) {}

  void insert(const KeyBatch& keys) override {
    for (int arrival = 0; arrival < 4; ++arrival) filter_.insert(keys);
    staying_.insert(staying_.end(), keys.values().begin(), keys.values().end());
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    settle();
    return filter_.count_contained(keys);
  }

  /// Before the keys have left it would tell of another filter. Precondition: asked before.
  [[nodiscard]] FilterState state() const override { return filter_.state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }

 private:
  /// Counting with its insert replaced, so that the same hash stage serves to delete.
  struct Erasable {
    Counting counting;
    bool deletes = false;

    void insert(const DigestBatch& digests) {
      if (deletes) {
        counting.remove(digests);
      } else {
        counting.insert(digests);
      }
    }
    [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
      return counting.count_contained(digests);
    }
    [[nodiscard]] FilterState state() const { return counting.state(); }
  };

  void settle() {
    if (staying_.empty()) return;
    filter_.filter().deletes = true;
    for (int departure = 0; departure < 3; ++departure) {
      filter_.insert(KeyBatch::integers(staying_, 8));
    }
    filter_.filter().deletes = false;
    staying_.clear();
    staying_.shrink_to_fit();
  }

  KeyedMutant<Erasable> filter_;
  std::vector<std::uint64_t> staying_;
};

/// Filters with keys of their own, and one that reports a key is enough.
class SeveralFilters {
 public:
  /// @param keys_each the first ones take so many each, the last one the rest
  SeveralFilters(std::vector<Standard> filters, std::uint64_t keys_each)
      : filters_(std::move(filters)), keys_each_(keys_each) {}

  void insert(const DigestBatch& digests) {
    for (std::size_t first = 0; first < digests.size;) {
      const bool is_last = filling_ + 1 == filters_.size();
      if (!is_last && held_ == keys_each_) {
        ++filling_;
        held_ = 0;
        continue;
      }
      const std::uint64_t rest = digests.size - first;
      const auto count =
          static_cast<std::size_t>(is_last ? rest : std::min(rest, keys_each_ - held_));
      filters_[filling_].insert(digests.slice(first, count));
      held_ += count;
      first += count;
    }
  }

  std::uint64_t count_contained(const DigestBatch& digests) {
    std::vector<Answer> any(digests.size, Answer::absent);
    std::vector<Answer> one(digests.size);
    for (const Standard& filter : filters_) {
      filter.contains(digests, one);
      for (std::size_t j = 0; j < one.size(); ++j) any[j] = std::max(any[j], one[j]);
    }
    return static_cast<std::uint64_t>(std::ranges::count(any, Answer::maybe));
  }
  [[nodiscard]] FilterState state() const { return filters_.front().state(); }

 private:
  std::vector<Standard> filters_;
  std::uint64_t keys_each_;
  std::uint64_t held_ = 0;
  std::size_t filling_ = 0;
};

}  // namespace bloomlab::experiments
