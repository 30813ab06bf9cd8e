#include "experiments/kinds/counting_deletion.hpp"

#include <algorithm>

#include "experiments/kinds/uniform_digests.hpp"

namespace bloomlab::experiments {
namespace {

using DeletionPoint = CountingDeletion::Point::Parameters;
using Way = CountingDeletion::Point::Way;

constexpr std::array<std::uint64_t, 5> counter_sizes = {2, 3, 4, 8, 16};

/// Which counters a word stands for; 0 bits: none.
struct CounterKind {
  std::uint64_t bits = 0;
  OverflowPolicy overflow = OverflowPolicy::saturate;
};

CounterKind kind_of(const DeletionPoint& at) {
  const auto word = static_cast<std::size_t>(at.counters);
  if (word == 0) return {};
  return {counter_sizes[(word - 1) % counter_sizes.size()],
          static_cast<OverflowPolicy>((word - 1) / counter_sizes.size())};
}

Counting::Parameters counting_of(const DeletionPoint& at) {
  const CounterKind kind = kind_of(at);
  return {at.m, at.k, kind.bits, kind.overflow};
}

std::vector<std::string> counter_words() {
  std::vector<std::string> words = {"none"};
  for (const std::string_view policy : Counting::overflow_policies) {
    for (const std::uint64_t bits : counter_sizes) {
      words.push_back(std::string(policy) + "_" + std::to_string(bits));
    }
  }
  return words;
}

/// Sums over the filters of a trial.
struct DeletionSums {
  std::uint64_t inserted = 0;
  std::uint64_t deleted = 0;
  std::uint64_t refused = 0;
  std::uint64_t inserted_keys_left = 0;
  std::uint64_t inserted_keys_lost = 0;
  std::uint64_t overflows = 0;
  std::uint64_t used = 0;
  std::uint64_t used_after = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t absent_keys = 0;
};

/// A plain filter whose bits can be cleared, which is the mistake that is measured.
class ClearedBits {
 public:
  explicit ClearedBits(const DeletionPoint& at)
      : probe_(ideal_probe()), k_(static_cast<int>(at.k)), bits_(static_cast<std::size_t>(at.m)) {}

  void insert(const DigestBatch& digests) { put(digests, true); }
  /// Clears the bits of all keys of the batch, reported or not; how many keys that were.
  std::uint64_t remove(const DigestBatch& digests) {
    put(digests, false);
    return digests.size;
  }

  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) {
    const PositionBatch positions = positions_of(digests);
    std::uint64_t count = 0;
    for (std::size_t key = 0; key < positions.size; ++key) {
      count += reports(positions, key) ? 1 : 0;
    }
    return count;
  }

  [[nodiscard]] std::uint64_t used() const {
    return static_cast<std::uint64_t>(std::count(bits_.begin(), bits_.end(), true));
  }
  [[nodiscard]] static std::uint64_t overflows() { return 0; }

 private:
  void put(const DigestBatch& digests, bool value) {
    const PositionBatch positions = positions_of(digests);
    for (int i = 0; i < k_; ++i) {
      for (const std::uint64_t at : positions.probe(i)) bits_[at] = value;
    }
  }
  PositionBatch positions_of(const DigestBatch& digests) {
    return probe_.positions(digests, bits_.size(), k_, buffer_);
  }
  [[nodiscard]] bool reports(const PositionBatch& positions, std::size_t key) const {
    for (int i = 0; i < k_; ++i) {
      if (!bits_[positions.probe(i)[key]]) return false;
    }
    return true;
  }

  Probe probe_;
  int k_;
  std::vector<bool> bits_;
  PositionBuffer buffer_;
};

/// A counting filter, with its counters above zero counted.
class DeletingCounters {
 public:
  explicit DeletingCounters(const DeletionPoint& at) : filter_(counting_of(at), ideal_probe()) {}

  void insert(const DigestBatch& digests) { filter_.insert(digests); }
  std::uint64_t remove(const DigestBatch& digests) { return filter_.remove(digests); }
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return filter_.count_contained(digests);
  }
  [[nodiscard]] std::uint64_t used() const { return filter_.state().bits_set; }
  [[nodiscard]] std::uint64_t overflows() const { return filter_.overflows(); }

 private:
  Counting filter_;
};

/// Deletes absent keys one by one as the filter, as it then is, reports them; how many.
template <class Filter>
std::uint64_t delete_absent_keys(Filter& filter, UniformDigests& keys, std::uint64_t first,
                                 std::uint64_t queries, std::uint64_t most) {
  std::uint64_t deleted = 0;
  constexpr std::uint64_t portion = 256;  // hashed at once, and in vain once enough are deleted
  for (std::uint64_t done = 0; done < queries && deleted < most; done += portion) {
    keys.range(first + done, std::min(portion, queries - done), [&](const DigestBatch& digests) {
      for (std::size_t key = 0; key < digests.size && deleted < most; ++key) {
        const DigestBatch one = digests.slice(key, 1);
        if (filter.count_contained(one) != 0) deleted += filter.remove(one);
      }
    });
  }
  return deleted;
}

/// One filter: its inserted keys have the numbers from `first` on, absent keys those behind them.
template <class Filter>
void measure_filter(const CountingDeletion::Parameters& p, const DeletionPoint& at,
                    UniformDigests& keys, std::uint64_t first, DeletionSums& sums) {
  Filter filter(at);
  const std::uint64_t absent_keys = first + at.n;
  keys.range(first, at.n, [&](const DigestBatch& digests) { filter.insert(digests); });
  sums.inserted += at.n;
  sums.overflows += filter.overflows();
  sums.used += filter.used();
  std::uint64_t left = at.n;
  if (at.way == Way::absent_keys) {
    sums.deleted += delete_absent_keys(filter, keys, absent_keys, p.queries, at.deletions);
  } else {
    std::uint64_t deleted = 0;
    keys.range(first, at.deletions,
               [&](const DigestBatch& digests) { deleted += filter.remove(digests); });
    sums.deleted += deleted;
    sums.refused += at.deletions - deleted;
    left -= at.deletions;
  }
  sums.used_after += filter.used();
  sums.inserted_keys_left += left;
  sums.inserted_keys_lost += left - keys.count_contained(filter, first + at.n - left, left);
  if (at.way == Way::absent_keys) return;
  sums.absent_keys += p.queries;
  sums.false_positives += keys.count_contained(filter, absent_keys, p.queries);
}

record::Json json_of(const CountingDeletion::Parameters& p, const DeletionPoint& at,
                     const DeletionSums& sums) {
  record::Json json = {{"filters", p.filters},
                       {"inserted", sums.inserted},
                       {"deleted", sums.deleted},
                       {"refused", sums.refused},
                       {"inserted_keys_left", sums.inserted_keys_left},
                       {"inserted_keys_lost", sums.inserted_keys_lost},
                       {"overflows", sums.overflows},
                       {"used", sums.used},
                       {"used_after", sums.used_after}};
  if (at.way == Way::absent_keys) return json;
  json["false_positives"] = sums.false_positives;
  json["true_negatives"] = sums.absent_keys - sums.false_positives;
  return json;
}

}  // namespace

std::span<const std::string_view> CountingDeletion::Point::counters() {
  static const std::vector<std::string> words = counter_words();
  static const std::vector<std::string_view> views(words.begin(), words.end());
  return views;
}

std::optional<std::string> CountingDeletion::check(const Parameters& /*p*/,
                                                   const Point::Parameters& at) {
  if (at.way == Way::inserted_keys && at.deletions > at.n) {
    return "deletions = " + std::to_string(at.deletions) +
           " inserted keys of n = " + std::to_string(at.n) +
           " keys; delete at most as many as are inserted";
  }
  return std::nullopt;
}

std::uint64_t CountingDeletion::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 20;
  return at.m * std::max<std::uint64_t>(1, kind_of(at).bits) / 8 + buffers;
}

double CountingDeletion::seconds(const Parameters& p, const Point::Parameters& at) {
  // Some 6 ns per probe of a key that is inserted, asked or deleted, and 3 ns per counter looked
  // over.
  const double keys = static_cast<double>(3 * at.n) + static_cast<double>(p.queries);
  const double one =
      6e-9 * keys * static_cast<double>(at.k) + 3e-9 * 2.0 * static_cast<double>(at.m);
  return one * static_cast<double>(p.filters);
}

std::vector<Measurement> CountingDeletion::measure(const Parameters& p, const Point::Parameters& at,
                                                   std::uint64_t seed) {
  UniformDigests keys(seed, at.k);
  DeletionSums sums;
  for (std::uint64_t i = 0; i < p.filters; ++i) {
    const std::uint64_t first = i * (at.n + p.queries);
    if (kind_of(at).bits == 0) {
      measure_filter<ClearedBits>(p, at, keys, first, sums);
    } else {
      measure_filter<DeletingCounters>(p, at, keys, first, sums);
    }
  }
  return {{std::nullopt, json_of(p, at, sums), record::Json::object()}};
}

}  // namespace bloomlab::experiments
