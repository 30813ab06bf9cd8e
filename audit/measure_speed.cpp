// Time per key of the filter and of what stands beside it, in turns, so that a busy machine slows
// all alike.

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

constexpr int rounds = 5;

/// Times per key of every round [ns].
struct Times {
  std::array<double, rounds> insert{}, absent{}, inserted{};
};

double median(std::array<double, rounds> values) {
  std::ranges::sort(values);
  return values[rounds / 2];
}

/// Keys are made before the clock starts: a copy of them is all that calls have in common.
class SpeedKeys {
 public:
  SpeedKeys(std::uint64_t seed, std::uint64_t count)
      : inserted_(static_cast<std::size_t>(count)), absent_(inserted_.size()) {
    const KeyedPermutation permutation(seed);
    permutation.apply_range(0, inserted_);
    permutation.apply_range(first_absent, absent_);
  }
  void insert(foreign::ForeignFilter& filter) const {
    each(inserted_, [&](const KeyBatch& keys) { static_cast<void>(filter.insert(keys)); });
  }
  void time(foreign::ForeignFilter& filter, Times& times, std::size_t round) const {
    times.insert[round] =
        each(inserted_, [&](const KeyBatch& keys) { static_cast<void>(filter.insert(keys)); });
    const auto count = [&](const KeyBatch& keys) {
      static_cast<void>(filter.count_contained(keys));
    };
    times.absent[round] = each(absent_, count);
    times.inserted[round] = each(inserted_, count);
  }

 private:
  template <class Call>
  static double each(const std::vector<std::uint64_t>& values, Call call) {
    const KeyBatch keys = KeyBatch::integers(values, 8);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t first = 0; first < keys.size(); first += batch_keys) {
      call(keys.slice(first, std::min(batch_keys, keys.size() - first)));
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    return time.count() / static_cast<double>(keys.size());
  }

  std::vector<std::uint64_t> inserted_;
  std::vector<std::uint64_t> absent_;
};

}  // namespace

void measure_speed(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                   Evidence& evidence) {
  if (plan.speed_keys == 0) return;
  const SpeedKeys keys(plan.seed, plan.speed_keys);
  const auto request = examined.request(plan.speed_keys, plan.seed);
  filter.create(request);
  keys.insert(filter);  // one that is built for what it holds takes no memory before
  const std::uint64_t memory_bits = filter.memory_bits();

  std::vector<std::unique_ptr<foreign::ForeignFilter>> started;
  evidence.speed_keys = plan.speed_keys;
  evidence.speeds.push_back({.name = examined.name});
  for (const Beside& other : examined.beside) {
    Speed speed{.name = other.name};
    started.push_back(nullptr);
    try {
      started.back() = other.start(plan.speed_keys, memory_bits);
    } catch (const foreign::Failure& failure) {
      speed.failure = failure.what();
    }
    evidence.speeds.push_back(std::move(speed));
  }
  std::vector<Times> times(evidence.speeds.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      foreign::ForeignFilter* const timed = i == 0 ? &filter : started[i - 1].get();
      if (timed == nullptr) continue;
      timed->create(request);
      keys.time(*timed, times[i], round);
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    Speed& speed = evidence.speeds[i];
    speed.insert_ns = median(times[i].insert);
    speed.absent_ns = median(times[i].absent);
    speed.inserted_ns = median(times[i].inserted);
  }
}

}  // namespace bloomlab::audit::detail
